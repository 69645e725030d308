import { randomOf } from '../../test/support/random.ts';
import { describe, expect, it } from 'vitest';
import { each } from '../../test/support/each.ts';
import { evaluateSigning } from './evaluate.ts';
import type { PowerInstrument, PowersOnFile } from './powers.ts';
import { actOf, KEYS, randomFile } from './testing/random-powers.ts';

/** Seeds of a run, of which `make soak` tries more. */
const HISTORIES = Array.from({ length: process.env['SOAK'] === 'true' ? 1000 : 50 }, (_, index) => index + 1);

describe('random histories', () => {
  /** Adds what happens after the act: revocations, new articles, new directors and drafts. */
  const later = (file: PowersOnFile, random: () => number): PowersOnFile => {
    const [articles] = file.instruments;
    const revoked = { at: '2026-11-21T03:00:00.000Z', on: '2026-11-21' };
    const instruments: PowerInstrument[] = [
      { ...articles!, revoked: random() < 0.5 ? revoked : null },
      ...(random() < 0.7
        ? [
            {
              ...articles!,
              id: 'later',
              status: 'active' as const,
              validFrom: '2026-11-21',
              registeredOn: '2026-11-21',
            },
          ]
        : []),
      ...(random() < 0.5
        ? [
            {
              ...articles!,
              id: 'minutes',
              type: 'election_minutes',
              validFrom: '2026-12-01',
            },
          ]
        : []),
    ];
    const director = {
      ...file.parties[0]!,
      key: 'z',
      taxId: null,
      roles: ['director'],
      validFrom: '2026-11-21',
    };
    return { ...file, instruments, parties: random() < 0.5 ? [...file.parties, director] : file.parties };
  };

  it('judge the act of yesterday by the powers of yesterday', () => {
    for (const index of each(HISTORIES)) {
      const random = randomOf(index);
      const [file, act] = [randomFile(random), actOf(random)];
      const signers = KEYS.filter(() => random() < 0.6).map((partyKey) => ({ partyKey }));
      const after = later(file, random);
      for (const asked of each([signers, null])) {
        const before = evaluateSigning(file, act, asked);
        const { result, coverage, satisfiedBy, missing, minimalSets } = evaluateSigning(after, act, asked);
        expect({
          index,
          result,
          coverage,
          satisfiedBy,
          missing,
          minimalSets,
        }).toEqual({
          index,
          result: before.result,
          coverage: before.coverage,
          satisfiedBy: before.satisfiedBy,
          missing: before.missing,
          minimalSets: before.minimalSets,
        });
      }
    }
  });

  it('give the same bytes when they are evaluated again from their JSON', () => {
    for (const index of each(HISTORIES)) {
      const random = randomOf(index);
      const [file, act] = [randomFile(random), actOf(random)];
      const again = JSON.parse(JSON.stringify(file)) as PowersOnFile;
      expect(JSON.stringify(evaluateSigning(again, act, null))).toBe(JSON.stringify(evaluateSigning(file, act, null)));
    }
  });
});
