/** Tests of the commands that back up and restore the service. */
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { secretsFrom } from '../../server/base/secrets.ts';
import { rolePassword } from '../../server/database/database-login.ts';
import { withClient } from '../../server/database/pool.ts';
import { keepCompilations } from '../../server/request/validator-adapter.ts';
import { testSecret } from '../support/postgres.ts';
import { ROOT, type Env, command, start, page, publish, newFollower } from './backup-world.ts';

const TIMEOUT = 120_000;
keepCompilations();

/**
 * Tests that a consumer misses nothing: it reads and acknowledges `a` and `b`; a backup is made; it reads `c` and `d`.
 * The restored service publishes `c`, which the directory reports again, and `e`. The consumer's old cursor now points
 * to `e`, so by that cursor alone it would miss `e`.
 */
async function followAcrossRestore(env: Env, backup: string, restoredEnv: Env): Promise<void> {
  const secrets = secretsFrom(testSecret);
  let started = await start(env);
  const { tenantId, as } = await newFollower(started, secrets);
  await publish(started, tenantId, ['a', 'b']);
  const first = await page(started, as);
  await page(started, as, first.body.cursor!);
  expect(await command(['create', backup], env)).toMatchObject({
    code: 0,
    out: expect.stringContaining('Backed up into') as string,
  });
  await publish(started, tenantId, ['c', 'd']);
  const second = await page(started, as, first.body.cursor!);
  expect(second.body.events).toHaveLength(2);
  await page(started, as, second.body.cursor!);
  await started.running.stop();

  const restored = await command(['restore', backup], restoredEnv);
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('Restored the backup of') as string });
  started = await start(restoredEnv);
  try {
    await publish(started, tenantId, ['c', 'e']);
    for (const cursor of [first.body.cursor!, second.body.cursor!]) {
      const refused = await page(started, as, cursor);
      expect([refused.status, refused.body.code]).toEqual([400, 'cursor_expired']);
      expect(refused.body.detail).toContain('goes on after the last event that you acknowledged');
    }
    const { body } = await page(started, as);
    // Events acknowledged before the backup are not delivered again; events read after it are delivered again with the
    // same id.
    expect(body.events).toHaveLength(2);
    expect(body.events[0]!.eventId).toBe(second.body.events[0]!.eventId);
    expect([...first.body.events, ...second.body.events].map(({ eventId }) => eventId)).not.toContain(
      body.events[1]!.eventId,
    );
    expect((await page(started, as, body.cursor!)).body.events).toEqual([]);
  } finally {
    await started.running.stop();
  }
}

const folders: string[] = [];

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'compliance-backup-'));
  folders.push(folder);
  return folder;
};

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

describe('The embedded database', () => {
  it(
    'is restored with its files, and no consumer misses an event',
    async () => {
      const [folder, backups] = [await newFolder(), await newFolder()];
      const env = { DATA_DIR: folder, SERVICE_SECRET: testSecret };
      const stored = join(folder, 'files', 'kept');
      cpSync(join(ROOT, 'package.json'), stored, { recursive: true });
      await followAcrossRestore(env, join(backups, 'one'), env);
      expect(readFileSync(stored)).toEqual(readFileSync(join(ROOT, 'package.json')));
      expect(globSync(join(folder, '{postgres,files}.before-*'))).toHaveLength(2);
    },
    TIMEOUT,
  );
});

describe('A database of one’s own', () => {
  let env: Env;
  const url = (name: string): string => {
    const { host, port } = inject('postgres');
    const password = rolePassword('superuser', secretsFrom(testSecret));
    return `postgresql://postgres:${password}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`;
  };
  const names = ['before', 'after'].map((name) => `${name}_${randomBytes(6).toString('hex')}`);
  const administer = (text: string) => {
    const { host, port } = inject('postgres');
    return withClient(
      {
        host,
        port,
        ssl: false,
        database: 'postgres',
        user: 'postgres',
        password: rolePassword('superuser', secretsFrom(testSecret)),
      },
      (client) => client.query(text),
    );
  };
  beforeAll(async () => {
    for (const name of names) await administer(`CREATE DATABASE ${name}`);
    env = { DATA_DIR: await newFolder(), SERVICE_SECRET: testSecret, DATABASE_URL: url(names[0]!) };
  });
  afterAll(async () => {
    for (const name of names) await administer(`DROP DATABASE ${name} WITH (FORCE)`);
  });

  it(
    'is restored into an empty one, and no consumer misses an event',
    async () => {
      const backup = join(await newFolder(), 'one');
      const into = { ...env, DATABASE_URL: url(names[1]!) };
      await followAcrossRestore(env, backup, into);
      expect(await command(['restore', backup], into)).toMatchObject({
        code: 1,
        err: expect.stringContaining('The database of DATABASE_URL is not empty') as string,
      });
    },
    TIMEOUT,
  );

  it(
    'that the operator restored without the command is recognised by the marker in the data directory, and a ' +
      'missing marker proves nothing',
    async () => {
      const started = await start(env);
      const { tenantId, as } = await newFollower(started, secretsFrom(testSecret));
      await publish(started, tenantId, ['a', 'b']);
      const {
        body: { cursor },
      } = await page(started, as);
      await started.running.runJob('feed.marker');
      await started.running.stop();

      const again = await start(env);
      expect((await page(again, as, cursor!)).status).toBe(200);
      await again.running.stop();

      const marker = join(env['DATA_DIR']!, 'feed-marker');
      const positions = BigInt(readFileSync(marker, 'utf8').trim());
      rmSync(marker);
      const without = await start(env);
      expect((await page(without, as, cursor!)).status).toBe(200);
      expect(existsSync(marker)).toBe(true);
      await without.running.stop();

      writeFileSync(marker, `${positions + 1n}\n`);
      const restored = await start(env);
      expect((await page(restored, as, cursor!)).body).toMatchObject({ code: 'cursor_expired' });
      expect(BigInt(readFileSync(marker, 'utf8').trim())).toBeGreaterThan(positions);
      const { body } = await page(restored, as);
      // The database of a running service may also be replaced.
      writeFileSync(marker, `${10n ** 40n}\n`);
      await restored.running.runJob('feed.marker');
      expect((await page(restored, as, body.cursor!)).body).toMatchObject({ code: 'cursor_expired' });
      await restored.running.stop();
    },
    TIMEOUT,
  );
});

describe('The command', () => {
  it(
    'says what is wrong before it changes anything',
    async () => {
      const [folder, data] = [await newFolder(), await newFolder()];
      const env = { DATA_DIR: data, SERVICE_SECRET: testSecret };
      expect(await command([], env)).toMatchObject({
        code: 2,
        err: expect.stringContaining('Name create or restore, and a folder') as string,
      });
      expect(await command(['restore'], env)).toMatchObject({
        code: 2,
        err: expect.stringContaining('Name one folder') as string,
      });
      expect(await command(['--all'], env)).toMatchObject({ code: 2 });
      expect((await command(['--help'], env)).out).toContain('Usage: node scripts/backup.mjs create <folder>');
      expect(await command(['create', folder], env)).toMatchObject({
        code: 1,
        err: `${folder} exists: name a new folder.\n`,
      });
      expect(await command(['restore', folder], env)).toMatchObject({
        code: 1,
        err: expect.stringContaining('is no complete backup') as string,
      });
      expect(globSync(join(data, 'postgres*'))).toEqual([]);
      expect(await command(['create', join(folder, 'new')], { ...env, PG_BIN: folder })).toMatchObject({
        code: 1,
        err: expect.stringContaining('name their folder in PG_BIN') as string,
      });
      expect(existsSync(join(folder, 'new'))).toBe(false);
    },
    TIMEOUT,
  );
});
