import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readStatedTime } from '../base/time.ts';
import { calendarDate } from '../rules/brazilian-calendar.ts';
import { evaluateSigning } from './evaluate.ts';
import { instrumentFaults } from './instrument-faults.ts';
import type { Act, PowerBusiness, PowerInstrument, PowerParty, Signer } from './powers.ts';

type SentInstrument = Omit<PowerInstrument, 'revoked'> & { readonly revokedAt: string | null };
interface Case {
  readonly id: string;
  readonly title: string;
  readonly business: PowerBusiness;
  readonly parties: readonly PowerParty[];
  readonly instruments: readonly SentInstrument[];
  readonly act: Omit<Act, 'on' | 'place'>;
  readonly signers?: readonly Signer[] | null;
  readonly expect: {
    readonly result: string;
    readonly coverage: string;
    readonly satisfiedBy: readonly object[];
    readonly missing: readonly (readonly string[])[];
    readonly minimalSets: readonly (readonly string[])[];
    readonly reasonsInclude: readonly string[];
    readonly reasonsExclude: readonly string[];
  };
}

const VECTORS = new URL('../../../shared/vectors/signing/', import.meta.url);
const casesOf = <T>(file: string): readonly T[] =>
  (JSON.parse(readFileSync(new URL(`${file}.json`, VECTORS), 'utf8')) as { readonly cases: readonly T[] }).cases;

const dayOf = (instant: string): string => calendarDate(readStatedTime(instant)!);
const read = ({ revokedAt, ...instrument }: SentInstrument): PowerInstrument => ({
  ...instrument,
  revoked: revokedAt === null ? null : { at: revokedAt, on: dayOf(revokedAt) },
});

describe('the vectors of signing', () => {
  it.each(casesOf<Case>('cases'))(
    '$id: $title',
    ({ business, parties, instruments, act, signers, expect: expected }) => {
      const { reasons, satisfiedBy, ...found } = evaluateSigning(
        { business, parties, instruments: instruments.map(read) },
        { ...act, on: dayOf(act.at), place: null },
        signers ?? null,
      );
      const codes = reasons.map(({ code }) => code);
      expect(found).toMatchObject({
        result: expected.result,
        coverage: expected.coverage,
        missing: expected.missing,
        minimalSets: expected.minimalSets,
      });
      expect(satisfiedBy.map(({ instrumentId, ruleKey }) => ({ instrumentId, ruleKey }))).toEqual(expected.satisfiedBy);
      expect(codes).toEqual(expect.arrayContaining([...expected.reasonsInclude]));
      expect(codes.filter((code) => expected.reasonsExclude.includes(code))).toEqual([]);
    },
  );
});

interface Stored {
  readonly id: string;
  readonly title: string;
  readonly parties: readonly PowerParty[];
  readonly instrument: SentInstrument;
  readonly expect: { readonly accepted?: true; readonly refused?: { readonly codes: readonly string[] } };
}

describe('the vectors of instruments', () => {
  it.each(casesOf<Stored>('instruments'))('$id: $title', ({ parties, instrument, expect: expected }) => {
    const codes = instrumentFaults(read(instrument), parties).map(({ code }) => code);
    expect([...new Set(codes)]).toEqual(expected.refused?.codes ?? []);
  });
});
