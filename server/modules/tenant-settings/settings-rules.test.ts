/** Tests of the bounds that the law sets to settings. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonValue, mergePatchKeepingNull } from '../../rules/merge-patch.ts';
import { contrastWithWhite, LEAST_CONTRAST, LEGAL_BOUNDS, legalErrors, valuesAtPointer } from './settings-rules.ts';
import { defaultSettings } from './settings.ts';

// Ratios that common contrast checkers show.
it.each([
  ['#000000', 21],
  ['#ffffff', 1],
  ['#777777', 4.48],
  ['#767676', 4.54],
  ['#ff0000', 4],
  ['#0000ff', 8.59],
  ['#008000', 5.14],
  ['#ffff00', 1.07],
])('%s has a contrast of %f to 1 against white', (colour, ratio) => {
  expect(contrastWithWhite(colour)).toBeCloseTo(ratio, 2);
});

it('is enough in the default colour', () => {
  expect(contrastWithWhite(defaultSettings.branding.primaryColor)).toBeGreaterThan(LEAST_CONTRAST);
});

const defaults = defaultSettings as unknown as JsonValue;
const numeric = LEGAL_BOUNDS.filter(({ member, includes }) => includes === undefined && !member.includes('*'));

/** Returns a patch that sets the member of a pointer. */
function setting(pointer: string, value: JsonValue): JsonValue {
  return pointer
    .split('/')
    .slice(1)
    .reduceRight<JsonValue>((inner, step) => ({ [step]: inner }), value);
}

describe('the bounds of the law', () => {
  it('are met by the defaults, which contain every bounded member', () => {
    expect(legalErrors(defaults)).toEqual([]);
    for (const { member } of LEGAL_BOUNDS)
      expect([member, valuesAtPointer(defaults, member).length]).not.toEqual([member, 0]);
  });

  it('accept a value if and only if it is within them', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...numeric),
        fc.integer({ min: 0, max: 1000 }),
        ({ member, least = 0, most = Number.POSITIVE_INFINITY }, value) => {
          const errors = legalErrors(mergePatchKeepingNull(defaults, setting(member, value)));
          expect(errors.map(({ pointer }) => pointer)).toEqual(value >= least && value <= most ? [] : [member]);
        },
      ),
    );
  });

  it('are all reported at once, each with its norm', () => {
    fc.assert(
      fc.property(fc.subarray(numeric), (broken) => {
        const document = broken.reduce(
          (settings, { member, least }) =>
            mergePatchKeepingNull(settings, setting(member, least === undefined ? 1000 : least - 1)),
          defaults,
        );
        const errors = legalErrors(document);
        expect(errors.map(({ pointer }) => pointer)).toEqual(broken.map(({ member }) => member));
        for (const [at, { norm }] of broken.entries()) expect(errors[at]?.message).toContain(`(${norm})`);
      }),
    );
  });

  it('apply to elements of lists', () => {
    const errors = legalErrors({
      ownership: {
        lowerFor: [
          { riskLevel: 'low', percent: 25 },
          { riskLevel: 'high', percent: 25.1 },
        ],
      },
      screening: { defaultLists: [] },
    });
    expect(errors.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
      '/ownership/lowerFor/1/percent must be at most 25 (Circular BCB 3.978/2020, art. 25)',
      '/screening/defaultLists must include un-csnu (Lei 13.810/2019, art. 6º)',
    ]);
  });
});
