/** Tests of the rules that every decision follows, whatever its subject. */
import { describe, expect, it } from 'vitest';
import { assertKnownReasons, decisionBodyFaults } from './decision-rules.ts';

describe('the note of a decision', () => {
  it('has its characters counted as people do, not as UTF-16 units', () => {
    const faults = (length: number) =>
      decisionBodyFaults({ outcome: 'approve', reasonCodes: ['other'], note: '\u{1F600}'.repeat(length) });
    expect([faults(49), faults(50)]).toMatchObject([[{ pointer: '/note', code: 'too_short' }], []]);
  });
});

describe('the reasons of a decision', () => {
  it("come from the tenant's catalogue, or from the shipped one if the tenant's catalogue is empty", () => {
    const state = (code: string, reasonCodes: string[]) => () => assertKnownReasons([code], { reasonCodes });
    expect(state('fine', ['fine'])).not.toThrow();
    expect(state('low_risk', [])).not.toThrow();
    expect(state('low_risk', ['fine'])).toThrow(expect.objectContaining({ code: 'unknown_reason_code' }));
  });
});
