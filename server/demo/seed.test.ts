/** Tests of creating the demo tenant once, also by several processes. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { readConfig } from '../base/config.ts';
import { Outbox } from '../providers/mail/index.ts';
import { banner, type DemoCredentials } from './credentials.ts';
import { type DemoServices, seedDemo } from './seed.ts';

let test: TestDatabase;
let dataDir: string;
const now = new Date('2026-11-21T12:00:00.000Z');
const DAY = 86_400_000;

beforeEach(async () => {
  test = await createTestDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'onboarding-demo-'));
  return async () => {
    await test.close();
    rmSync(dataDir, { recursive: true });
  };
});

const seed = (origin: string, at = now, { database, secrets } = test, folder = dataDir): Promise<DemoCredentials> => {
  const mail = new Outbox({ secrets, clock: () => at, origin: () => origin });
  return seedDemo(
    {
      config: readConfig({ DATA_DIR: folder }),
      database,
      secrets,
      mail,
      directorySimulator: null,
    } as DemoServices,
    origin,
    at,
  );
};
const accept = ({ firstRun }: DemoCredentials) =>
  test.sql('UPDATE invitation SET accepted_at = now() WHERE id = $1', [firstRun.owner.invitationId]);

it('creates the demo tenant once and keeps its credentials for its owner only', async () => {
  const first = await seed('http://localhost:8080');
  const { firstRun, ...second } = await seed('http://localhost:9090');
  expect({ ...second, firstRun: first.firstRun }).toEqual({ ...first, baseUrl: 'http://localhost:9090' });
  expect(firstRun.tenant).toEqual(first.firstRun.tenant);
  expect(statSync(join(dataDir, 'demo.json')).mode & 0o777).toBe(0o600);
  expect(await test.sql('SELECT slug, status, sandbox_enabled FROM tenant ORDER BY slug')).toEqual([
    { slug: first.firstRun.tenant.slug, status: 'onboarding', sandbox_enabled: true },
    { slug: first.tenant.slug, status: 'active', sandbox_enabled: false },
    { slug: 'platform', status: 'active', sandbox_enabled: false },
  ]);
  expect(
    await test.sql('SELECT env, last_seq::integer AS n FROM fr_feed WHERE tenant_id = $1 ORDER BY env', [
      first.tenant.id,
    ]),
  ).toEqual([
    { env: 'live', n: 20 },
    { env: 'sandbox', n: 20 },
  ]);
  // The documents were neither sent nor signed, and their metadata says so.
  expect(
    await test.sql(
      "SELECT DISTINCT raw_payload #>> '{@meta,source}' AS source, raw_payload #>> '{@meta,signature}' AS " +
        'signature FROM fr_event WHERE tenant_id = $1',
      [first.tenant.id],
    ),
  ).toEqual([{ source: 'DEMO', signature: 'NONE' }]);
  expect(
    await test.sql('SELECT env, status FROM fr_record WHERE tenant_id = $1 ORDER BY env, created_at', [
      first.tenant.id,
    ]),
  ).toEqual(
    ['live', 'sandbox'].flatMap((env) => ['COMPLETED', 'ANALYSED', 'TRACKED'].map((status) => ({ env, status }))),
  );
});

it('creates a new tenant if the credentials on disk belong to a database that no longer exists', async () => {
  const first = await seed('http://localhost:8080');
  const fresh = await createTestDatabase();
  const second = await seed('http://localhost:8080', now, fresh);
  expect(second.tenant.id).not.toBe(first.tenant.id);
  expect(
    await fresh.sql('SELECT count(*)::integer AS n FROM tenant WHERE id = ANY ($1)', [
      [second.tenant.id, second.firstRun.tenant.id],
    ]),
  ).toEqual([{ n: 2 }]);
  await fresh.close();
});

it('creates one tenant per database, even if several processes start at the same time', async () => {
  const places = Array.from({ length: 3 }, () => mkdtempSync(join(tmpdir(), 'onboarding-demo-')));
  const demos = await Promise.all(places.map((folder, index) => seed(`http://replica-${index}`, now, test, folder)));
  const [first] = demos as [DemoCredentials, DemoCredentials, DemoCredentials];
  const same = ({ tenant, email, password, apiKey, testKey, clientId, clientSecret, firstRun }: DemoCredentials) => ({
    tenant,
    email,
    password,
    apiKey,
    testKey,
    clientId,
    clientSecret,
    firstRun: firstRun.tenant,
  });
  expect(demos.map(same)).toEqual(Array(3).fill(same(first)));
  expect(demos.map(({ baseUrl }) => baseUrl)).toEqual(['http://replica-0', 'http://replica-1', 'http://replica-2']);
  expect(await test.sql('SELECT count(*)::integer AS n FROM tenant')).toEqual([{ n: 3 }]);
  for (const folder of places) {
    expect(JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'))).toMatchObject({ apiKey: first.apiKey });
    rmSync(folder, { recursive: true });
  }
});

it('keeps its credentials sealed in the database', async () => {
  const { password, apiKey } = await seed('http://localhost:8080');
  const [row] = await test.sql<{ sealed: Buffer }>('SELECT sealed FROM demo');
  for (const secret of [password, apiKey]) expect(row?.sealed.includes(secret)).toBe(false);
});

it('adds the first run to a data directory of an earlier version', async () => {
  const { firstRun, ...before } = await seed('http://localhost:8080');
  writeFileSync(join(dataDir, 'demo.json'), JSON.stringify(before));
  await test.sql('DELETE FROM demo');
  const after = await seed('http://localhost:8080');
  expect(after.firstRun.tenant.id).not.toBe(firstRun.tenant.id);
  expect(JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))).toEqual(after);
});

it('shows the steps of the new tenant and the invitations, by mail too, with the base URL of this start', async () => {
  const {
    firstRun: { owner, platformAdministrator },
    ...first
  } = await seed('http://localhost:8080');
  const demo = await seed('http://localhost:9090');
  expect(demo.firstRun.owner.link).toBe(owner.link?.replace('8080', '9090'));
  const shown = banner(demo, 'demo.json');
  for (const text of [
    first.apiKey,
    demo.firstRun.owner.link,
    demo.firstRun.platformAdministrator.link,
    'http://localhost:9090/onboarding',
  ])
    expect(shown).toContain(text);
  const outbox = new Outbox({ secrets: test.secrets, clock: () => now, origin: () => '' });
  expect((await outbox.latest(test.database, owner.email))?.text).toContain(owner.link);
  expect((await outbox.latest(test.database, platformAdministrator.email))?.text).toContain(platformAdministrator.link);
});

it('sends an expired invitation again', async () => {
  const first = await seed('http://localhost:8080');
  const later = await seed('http://localhost:8080', new Date(now.getTime() + 8 * DAY));
  expect(later.firstRun.owner.link).not.toBe(first.firstRun.owner.link);
  expect(Date.parse(later.firstRun.owner.expiresAt)).toBeGreaterThan(now.getTime() + 8 * DAY);
  expect(later.firstRun.owner.invitationId).toBe(first.firstRun.owner.invitationId);
});

it('no longer mentions an invitation that was accepted', async () => {
  await accept(await seed('http://localhost:8080'));
  const demo = await seed('http://localhost:8080');
  expect(demo.firstRun.owner.link).toBeNull();
  expect(demo.firstRun.platformAdministrator.link).not.toBeNull();
  expect(banner(demo, 'demo.json')).not.toContain('first run');
  expect((await seed('http://localhost:8080', new Date(now.getTime() + 8 * DAY))).firstRun.owner.link).toBeNull();
});
