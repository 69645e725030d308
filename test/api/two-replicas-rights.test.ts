/**
 * API tests that a right revoked at one replica is refused at every other within a second, even if messages are lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type Answer, type Credential, type Replica, type TestService } from '../support/service.ts';
import { hearsNothing, CHANGES } from './two-replicas-changes.ts';

let service: TestService;

/** Replica that receives the announcements. */
let replica: Replica;

/**
 * Replica that receives nothing and believes that it is up to date, as in the moment between a change and its message.
 */
let late: Replica;

beforeAll(async () => {
  service = await startTestService();
  [replica, late] = await Promise.all([service.replica(), service.replica({ through: hearsNothing })]);
});

afterAll(async () => {
  await Promise.all([replica.stop(), late.stop()]);
  await service.stop();
});

/**
 * Makes every change of the list, each in a tenant of its own, and returns the answers of the replica a second later.
 */
async function aSecondLater(
  at: Replica,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<[string, number, string][]> {
  const prepared = await Promise.all(
    CHANGES.map(async ([what, credential, change]) => {
      const tenant = await service.tenant();
      return {
        what,
        change,
        tenant,
        as: await credential(tenant),
      };
    }),
  );
  const call = (as: Credential): Promise<Answer> => at.request('GET', '/v1/applications', { as });
  for (const { as, what } of prepared) expect((await call(as)).status, what).toBe(200);
  await meanwhile();
  for (const { as, what } of prepared) expect((await call(as)).status, what).toBe(200);
  for (const { change, tenant } of prepared) await service.database.sql(change, [tenant.id]);
  await sleep(1_000);
  return Promise.all(
    prepared.map(async ({ what, as }) => {
      const { status, body } = await call(as);
      return [what, status, body.code] as [string, number, string];
    }),
  );
}

const expected = CHANGES.map(([what, , , status, code]) => [what, status, code]);

describe('a right that was revoked elsewhere', () => {
  it('is refused everywhere within a second', async () => expect(await aSecondLater(replica)).toEqual(expected));

  it('is refused within a second also if the connection that hears of it was just lost', async () => {
    const cut = () =>
      service.database.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'compliance-onboarding changes'`,
      );
    expect(await aSecondLater(replica, cut)).toEqual(expected);
  });

  it('is refused within a second also if messages are lost on their way', async () => {
    // The pulse of the replica is lost like everything else, so the replica knows that it receives nothing.
    const deaf = await service.replica({
      through: (database) => ({ ...database, listen: () => ({ isCurrent: () => false, stop: async () => {} }) }),
    });
    try {
      expect(await aSecondLater(deaf)).toEqual(expected);
    } finally {
      await deaf.stop();
    }
  });
});
