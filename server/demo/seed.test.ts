import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '../../test/support/postgres.ts';
import type { TestDatabase } from '../../test/support/postgres.ts';
import { readConfig } from '../config.ts';
import type { Services } from '../services.ts';
import { seedDemo } from './seed.ts';

let test: TestDatabase;
let dataDir: string;
const now = new Date('2026-11-21T12:00:00.000Z');

beforeAll(async () => {
  test = await createTestDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'onboarding-demo-'));
});
afterAll(async () => {
  await test.close();
  rmSync(dataDir, { recursive: true });
});

const seed = (baseUrl: string, { database, secrets } = test) =>
  seedDemo({ config: readConfig({ DATA_DIR: dataDir }), database, secrets } as Services, baseUrl, now);

it('creates the demo tenant once and keeps its credentials for its owner only', async () => {
  const first = await seed('http://localhost:8080');
  expect(await seed('http://localhost:9090')).toEqual({ ...first, baseUrl: 'http://localhost:9090' });
  expect(statSync(join(dataDir, 'demo.json')).mode & 0o777).toBe(0o600);
  expect(await test.sql('SELECT count(*)::integer AS n FROM tenant')).toEqual([{ n: 1 }]);
  expect(await test.sql('SELECT env, last_seq::integer AS n FROM fr_feed ORDER BY env')).toEqual([{ env: 'live', n: 15 }, { env: 'sandbox', n: 15 }]);
});

it('creates another one when the credentials on disk belong to a database that is gone', async () => {
  const first = await seed('http://localhost:8080');
  const fresh = await createTestDatabase();
  const second = await seed('http://localhost:8080', fresh);
  expect(second.tenant.id).not.toBe(first.tenant.id);
  expect(await fresh.sql('SELECT id FROM tenant')).toEqual([{ id: second.tenant.id }]);
  await fresh.close();
});
