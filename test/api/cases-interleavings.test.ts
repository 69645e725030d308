import { describe, expect, it } from 'vitest';
import { startCasesWorld } from './cases-world.ts';

const { analyst, colleague, officer, second, call, open, read, resolve, review, patch } = await startCasesWorld();

/** In the soak the design's number, otherwise fewer. */
const RUNS = process.env['SOAK'] === 'true' ? 200 : 12;

/** Returns a generator of numbers below a bound that repeats for the same seed. */
function seeded(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * bound);
  };
}

describe('simultaneous work on a case', () => {
  it(`loses no change and lets nobody review their own proposal in ${RUNS} interleavings`, {
    timeout: 600_000,
  }, async () => {
    const people = [analyst, colleague, officer, second];
    let rounds = 0;
    for (let run = 0; run < RUNS; run++) {
      const next = seeded(run + 1);
      const id = await open();
      for (let round = 0; round < 3; round++) {
        const before = await read(id);
        const waiting = before.resolutions!.find(({ status }) => status === 'pending_review');
        const acts = Array.from({ length: 4 }, () => {
          const { as, id: userId } = people[next(people.length)]!;
          switch (next(4)) {
            case 0:
              return patch(id, { assigneeId: userId }, as);
            case 1:
              return resolve(id, as, { outcome: 'confirmed_risk', reasonCodes: ['suspicion_confirmed'] });
            case 2:
              return review(id, waiting?.id ?? before.id, as, next(2) === 0 ? { verdict: 'return' } : {});
            default:
              return call('POST', `/v1/cases/${id}/reopen`, as, {
                reasonCode: 'error_found',
                note: 'Once more, please.',
              });
          }
        });
        const answers = await Promise.all(acts);
        rounds += 1;
        expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
        const after = await read(id);
        for (const { madeBy, reviewedBy } of after.resolutions!) expect(reviewedBy?.id).not.toBe(madeBy.id);
        const pending = after.resolutions!.filter(({ status }) => status === 'pending_review');
        expect(pending.length).toBe(after.status === 'pending_approval' ? 1 : 0);
        expect(after.resolutions!.some(({ status }) => status === 'effective')).toBe(after.status === 'resolved');
        // Each success is a version of its own.
        const successes = answers.filter(({ status }) => status < 400).length;
        expect(after.version - before.version).toBeGreaterThanOrEqual(successes);
      }
    }
    expect(rounds).toBe(RUNS * 3);
  });
});
