import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { scenarioNamed } from './scenarios/catalogue.ts';
import { startRun, StateCache } from './state.ts';

const begun = new Date('2026-03-02T09:00:00.000Z');
const later = (seconds: number): Date => new Date(begun.getTime() + seconds * 1000);

let test: TestDatabase;
let tenantId: string;
beforeAll(async () => {
  test = await createTestDatabase();
  tenantId = await test.tenant();
  await test.database.transaction({ tenantId }, (tx) =>
    startRun(tx, begun, scenarioNamed('happy-path')!, {
      runId: randomUUID(),
      role: 'SENT',
      amount: '812.40',
      pace: 'stepped',
      onTimeout: null,
      situation: 'SCAM',
    }),
  );
});
afterAll(() => test.close());

const states = () => new StateCache(test.database, () => later(1));

describe('the states of directories', () => {
  it('give the time of the next step at any moment', async () => {
    const asked = states();
    const next = (await asked.nextStepAfter(tenantId, begun))!;
    expect(next.getTime()).toBeGreaterThan(begun.getTime());
    expect((await asked.nextStepAfter(tenantId, next))?.getTime()).toBeGreaterThan(next.getTime());
    expect(await asked.nextStepAfter(tenantId, begun)).toEqual(next);
    expect(await asked.nextStepAfter(tenantId, later(365 * 86_400))).toBeNull();
  });

  it('are folded once while nothing happens, and evicted after many others were read', async () => {
    const asked = states();
    const {
      state: {
        runs: [first],
      },
    } = await asked.of(tenantId);
    expect((await asked.of(tenantId)).state.runs[0]).toBe(first);
    for (let other = 0; other < 50; other++) await asked.of(await test.tenant());
    const {
      state: {
        runs: [again],
      },
    } = await asked.of(tenantId);
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });
});
