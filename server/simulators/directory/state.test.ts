/**
 * Tests of the state cache of the directory simulator. The directory is the central bank's payment directory (DICT); a
 * run is one simulated funds recovery.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { scenarioNamed } from './scenarios/catalogue.ts';
import { startRun, StateCache } from './state.ts';

const startedAt = new Date('2026-03-02T09:00:00.000Z');
const secondsAfterStart = (seconds: number): Date => new Date(startedAt.getTime() + seconds * 1000);

let testDatabase: TestDatabase;
let tenantId: string;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  tenantId = await testDatabase.tenant();
  await testDatabase.database.transaction({ tenantId }, (tx) =>
    startRun(tx, startedAt, scenarioNamed('happy-path')!, {
      runId: randomUUID(),
      role: 'SENT',
      amount: '812.40',
      pace: 'stepped',
      onTimeout: null,
      situation: 'SCAM',
    }),
  );
});
afterAll(() => testDatabase.close());

const newCache = () => new StateCache(testDatabase.database, () => secondsAfterStart(1));

describe('the state cache of the directory simulator', () => {
  it('returns the time of the next simulated step after a given time, or null after the last', async () => {
    const cache = newCache();
    const next = (await cache.nextStepAfter(tenantId, startedAt))!;
    expect(next.getTime()).toBeGreaterThan(startedAt.getTime());
    expect((await cache.nextStepAfter(tenantId, next))?.getTime()).toBeGreaterThan(next.getTime());
    expect(await cache.nextStepAfter(tenantId, startedAt)).toEqual(next);
    expect(await cache.nextStepAfter(tenantId, secondsAfterStart(365 * 86_400))).toBeNull();
  });

  it("computes a tenant's state once until a new event arrives, and evicts it after 50 other tenants were read", async () => {
    const cache = newCache();
    const {
      state: {
        runs: [first],
      },
    } = await cache.of(tenantId);
    expect((await cache.of(tenantId)).state.runs[0]).toBe(first);
    for (let other = 0; other < 50; other++) await cache.of(await testDatabase.tenant());
    const {
      state: {
        runs: [again],
      },
    } = await cache.of(tenantId);
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });
});
