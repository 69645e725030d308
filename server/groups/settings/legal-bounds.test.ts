import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultSettings } from './defaults.ts';
import { LEGAL_BOUNDS, legalErrors } from './legal-bounds.ts';
import { membersAt } from './members.ts';
import { overlay, type JsonValue } from './overlay.ts';

const defaults = defaultSettings as unknown as JsonValue;
const numeric = LEGAL_BOUNDS.filter(({ member, includes }) => includes === undefined && !member.includes('*'));

/** A patch that sets the member of a pointer. */
function setting(pointer: string, value: JsonValue): JsonValue {
  return pointer.split('/').slice(1).reduceRight<JsonValue>((inner, step) => ({ [step]: inner }), value);
}

describe('the bounds of the law', () => {
  it('are kept by the defaults, in which every bounded member stands', () => {
    expect(legalErrors(defaults)).toEqual([]);
    for (const { member } of LEGAL_BOUNDS) expect([member, membersAt(defaults, member).length]).not.toEqual([member, 0]);
  });

  it('let a value through exactly when it is within them', () => {
    fc.assert(fc.property(fc.constantFrom(...numeric), fc.integer({ min: 0, max: 1000 }), ({ member, least = 0, most = Number.POSITIVE_INFINITY }, value) => {
      const errors = legalErrors(overlay(defaults, setting(member, value)));
      expect(errors.map(({ pointer }) => pointer)).toEqual(value >= least && value <= most ? [] : [member]);
    }));
  });

  it('are all told at once, each with its norm', () => {
    fc.assert(fc.property(fc.subarray(numeric), (broken) => {
      const document = broken.reduce((settings, { member, least }) => overlay(settings, setting(member, least === undefined ? 1000 : least - 1)), defaults);
      const errors = legalErrors(document);
      expect(errors.map(({ pointer }) => pointer)).toEqual(broken.map(({ member }) => member));
      for (const [at, { norm }] of broken.entries()) expect(errors[at]?.message).toContain(`(${norm})`);
    }));
  });

  it('reach into lists', () => {
    const errors = legalErrors({ ownership: { lowerFor: [{ riskLevel: 'low', percent: 25 }, { riskLevel: 'high', percent: 25.1 }] }, screening: { defaultLists: [] } });
    expect(errors.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
      '/ownership/lowerFor/1/percent must be at most 25 (Circular BCB 3.978/2020, art. 25)', '/screening/defaultLists must include un-csnu (Lei 13.810/2019, art. 6º)',
    ]);
  });
});
