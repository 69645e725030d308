/** Test of every operation while the database cannot be reached: it says when to retry. */
import { beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../../server/database/pool.ts';
import { expectDocumented, send, validCall, type Sendable } from '../support/calls.ts';
import { everyOperation } from '../support/contract.ts';
import { useService } from '../support/service.ts';

const calls = new Map<string, Sendable>();

const service = await useService();
beforeAll(async () => {
  for (const operation of everyOperation)
    calls.set(operation.operationId, await validCall(service, service.acme, operation));
  await setReachable(false);
});

/** Makes PostgreSQL refuse new connections and end the existing ones, or accept connections again. */
async function setReachable(reachable: boolean): Promise<void> {
  const { database, user } = service.database.superuser;
  await withClient({ ...service.database.superuser, database: 'postgres' }, async (client) => {
    await client.query(`ALTER DATABASE ${database} CONNECTION LIMIT ${reachable ? -1 : 0}`);
    if (!reachable)
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename <> $2',
        [database, user],
      );
  });
}

describe('while the database cannot be reached', () => {
  it.each(everyOperation)('says when to retry: $operationId', async (operation) => {
    const answer = await send(service, calls.get(operation.operationId)!);
    expect(answer.status, answer.text).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expectDocumented(operation, answer);
    expect(answer.body).toMatchObject(
      'code' in (answer.body as object)
        ? { code: 'dependency_unavailable', retryable: true, retryAfter: 1 }
        : { error: 'temporarily_unavailable' },
    );
    expect(answer.text).not.toMatch(/postgres|connection|SELECT|INSERT/i);
  });

  it('lives, but is not ready', async () => {
    expect([(await fetch(`${service.url}/healthz`)).status, (await fetch(`${service.url}/readyz`)).status]).toEqual([
      200, 503,
    ]);
  });

  it('answers again as soon as the database does', async () => {
    await setReachable(true);
    const as = await service.acme.key(['read']);
    expect((await service.api.GET('/v1/sandbox', { headers: as })).response.status).toBe(200);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });
});
