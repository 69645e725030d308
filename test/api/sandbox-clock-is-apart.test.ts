/** API tests that the moved clock of a sandbox gets into nothing live: ids, times, events. */
import { beforeAll, describe, expect, it } from 'vitest';
import { uuidv7 } from '../../server/base/uuid.ts';
import { newApplication, newDocument } from '../operations/application-records.ts';
import { success } from '../support/api.ts';
import { useService, type Credential } from '../support/service.ts';

const DECADE_SECONDS = 315_360_000;
let owner: Credential;
let pinned: Credential;
let foreign: Credential;

/**
 * Service in which the sandbox of one tenant is a hundred years ahead, with records of every kind in it, in live and of
 * other tenants.
 */
const service = await useService({ directory: true });
beforeAll(async () => {
  const { acme, other } = service;
  owner = await acme.user('owner', { secondFactor: true });
  pinned = await acme.key(['read', 'write'], { pinEnvironment: true });
  foreign = await other.key(['read', 'write']);
  await success(service.api.POST('/v1/sandbox/enable', { headers: owner }));
  for (let decade = 0; decade < 10; decade++)
    await call('POST', '/v1/sandbox/simulations', { type: 'advance_clock', parameters: { seconds: DECADE_SECONDS } });
  await call('POST', '/v1/sandbox/simulations', {
    type: 'funds_recovery_event',
    parameters: { eventType: 'FUNDS_RECOVERY_CREATED' },
  });
  await call('POST', '/v1/sandbox/funds-recovery/scenarios', {
    scenario: 'happy-path',
    role: 'SENT',
    amount: { amount: 81240, currency: 'BRL' },
    pace: 'instant',
  });
  await application(await acme.key(['read', 'write']));
  await application(pinned);
  await application(foreign);
  await call('POST', '/v1/settings/api-keys', { name: 'Later', environment: 'live', scopes: ['read'] });
  await call('POST', '/v1/users/invitations', { email: 'later@example.com', name: 'Rui Lima', role: 'viewer' });
});

async function call(method: string, path: string, body: object): Promise<void> {
  const { status, text } = await service.request(method, path, { as: owner, body });
  if (status >= 400) throw new Error(`${path}: ${text}`);
}

async function application(as: Credential): Promise<string> {
  const id = await newApplication(service, service.acme, as);
  await newDocument(service, service.acme, id, as);
  return id;
}

const columns = (condition: string): Promise<{ table: string; column: string; environment: string | null }[]> =>
  service.database.sql(`
  SELECT c.table_name AS table, c.column_name AS column,
    (SELECT e.column_name FROM information_schema.columns e WHERE e.table_schema = 'public'
      AND e.table_name = c.table_name AND e.column_name IN ('env', 'environment')) AS environment
  FROM information_schema.columns c JOIN pg_class t ON t.oid = ('public.' || c.table_name)::regclass
  WHERE c.table_schema = 'public' AND t.relkind IN ('r', 'p') AND ${condition} ORDER BY 1, 2`);

describe('the clock of a sandbox', () => {
  it('is in no id of the database, of whichever table', async () => {
    const found = await columns(`c.data_type = 'uuid'`);
    expect(found.length).toBeGreaterThan(20);
    const parts = found
      .map(({ table, column }) => `SELECT '${table}.${column}' AS place, ${column} AS id FROM ${table}`)
      .join(' UNION ALL ');
    const ids = await service.database.sql<{ place: string; id: string }>(
      `SELECT DISTINCT place, id FROM (${parts}) x WHERE substr(id::text, 15, 1) = '7'`,
    );
    expect(new Set(ids.map(({ place }) => place)).size).toBeGreaterThan(10);
    expect(ids.filter(({ id }) => timeOf(id) > Date.now() + 600_000)).toEqual([]);
  });

  it('is in no time of a live record, of an audit event or of what belongs to a tenant', async () => {
    const found = (
      await columns(
        "c.column_name IN ('created_at', 'updated_at', 'occurred_at', 'received_at', 'issued_at', 'sent_at', " +
          "'last_seen_at', 'last_used_at', 'status_changed_at', 'hour')",
      )
    ).map(({ table, column, environment }) => ({
      table,
      column,
      which:
        environment === null || table === 'audit_event' || table === 'idempotency_record'
          ? 'true'
          : `${environment} = 'live'`,
    }));
    const parts = found.map(
      ({ table, column, which }) =>
        `SELECT '${table}.${column}' AS place FROM ${table}
          WHERE ${column} > now() + interval '10 minutes' AND ${which}`,
    );
    expect(await service.database.sql(parts.join(' UNION ALL '))).toEqual([]);
  });

  it('is what the records of that sandbox carry', async () => {
    const [row] = await service.database.sql<{ ahead: boolean }>(
      `SELECT bool_and(created_at > now() + interval '90 years') AS ahead FROM application
        WHERE environment = 'sandbox'`,
    );
    expect(row).toEqual({ ahead: true });
  });

  it('is not in the request ids either, which everybody shares', async () => {
    const answer = await service.request('GET', '/v1/applications', { as: foreign });
    expect(Math.abs(timeOf(answer.headers.get('x-request-id') ?? '') - Date.now())).toBeLessThan(600_000);
    expect(Math.abs(timeOf(uuidv7()) - Date.now())).toBeLessThan(600_000);
  });

  it('leaves the order of lists as it was: newest first', async () => {
    for (const [as, environment] of [
      [pinned, 'live'],
      [foreign, 'live'],
      [owner, 'sandbox'],
    ] as const) {
      const last = await application(as);
      const { body } = await success(
        service.api.GET('/v1/applications', { params: { query: { environment } }, headers: as }),
      );
      expect(body.items[0]?.id, environment).toBe(last);
      expect(body.items.map(({ createdAt }) => createdAt)).toEqual(
        body.items
          .map(({ createdAt }) => createdAt)
          .sort()
          .reverse(),
      );
    }
  });
});

function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
