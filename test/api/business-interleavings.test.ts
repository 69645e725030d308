/** Test of simultaneous changes of a business: of its owners, of decisions about it and of their reviews. */
import { describe, expect, it } from 'vitest';
import { useService } from '../support/service.ts';
import { businessWorld, graph, rejection, type Schemas, wholeGraph } from './business-world.ts';

const service = await useService();
const { analyst, colleague, officer, call, read, own, waiting, review } = await businessWorld(service);

/** In the soak the design's number, otherwise fewer. */
const RUNS = process.env['SOAK'] === 'true' ? 100 : 12;

/** Returns a generator of numbers below a bound that repeats for the same seed. */
function seeded(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * bound);
  };
}

const versionsOf = async (id: string) =>
  (await call<Schemas['OwnershipVersionList']>('GET', `${id}/ownership/versions?limit=100`, { as: officer })).body
    .items;

describe('simultaneous changes of a business', () => {
  it(`lose no version, let one writer of owners win, and confirm no stale decision in ${RUNS} interleavings`, {
    timeout: 600_000,
  }, async () => {
    let replaced = 0;
    for (let run = 0; run < RUNS; run++) {
      const next = seeded(run + 1);
      const { id, decisionId, evidenceDigest } = await waiting();
      let known = { decisionId, evidenceDigest };
      for (let round = 0; round < 2; round++) {
        const version = (await versionsOf(id))[0]?.version ?? 0;
        const acts = Array.from({ length: 4 }, (_, at) => {
          switch (at === 0 ? 0 : next(3)) {
            case 0:
              return own(id, next(2) === 0 ? graph : wholeGraph, analyst, version);
            case 1:
              return review(id, known.decisionId, known.evidenceDigest);
            default:
              return call<Schemas['Decision']>('POST', `${id}/decisions`, {
                as: colleague,
                body: rejection(known.evidenceDigest),
              });
          }
        });
        const answers = await Promise.all(acts);
        expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
        const graphs = answers.filter(({ body }) => 'assessment' in body);
        expect(graphs.length, 'one writer of this version at most').toBeLessThanOrEqual(1);
        const versions = await versionsOf(id);
        expect(versions.map(({ version: number }) => number)).toEqual(
          Array.from({ length: version + graphs.length }, (_, at) => version + graphs.length - at),
        );
        replaced += graphs.length;
        const after = await read(id);
        const pending = after.decisions!.filter(({ status }) => status === 'pending_review');
        expect(pending.length).toBe(after.status === 'pending_approval' ? 1 : 0);
        // What waits rests on the evidence as it is, whoever came first.
        for (const { evidenceDigest: digest } of pending) expect(digest).toBe(after.evidenceDigest);
        expect(after.decisions!.some(({ status }) => status === 'effective')).toBe(after.status === 'rejected');
        known = { decisionId: pending[0]?.id ?? known.decisionId, evidenceDigest: after.evidenceDigest ?? '' };
      }
    }
    expect(replaced).toBeGreaterThan(RUNS / 4);
  });
});
