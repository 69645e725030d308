/** API tests of a storage or a database that is full: writes can be retried, and the process leaves the service. */
import type * as Fs from 'node:fs/promises';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { jpeg } from '../support/specimens.ts';
import { shared } from '../support/service.ts';
import { startWorld } from './applications-world.ts';

type Failing = 'open' | 'write' | 'sync' | 'rename' | 'directory' | 'small';
const disk = vi.hoisted(() => ({ failing: null as Failing | null, code: 'ENOSPC', free: null as number | null }));

/** Uses the real file system with one failing call; a failing write goes to the kernel's device that is always full. */
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Fs>();
  const failure = (): Error =>
    Object.assign(new Error(`${disk.code}: it fails`), { code: disk.code, errno: -28, syscall: 'test' });
  const failWhen = (when: boolean): void => {
    if (when) throw failure();
  };
  return {
    ...real,
    open: async (path: string, flags?: string, mode?: number) => {
      const incoming = flags === 'wx' && path.includes('/files/incoming/');
      failWhen(incoming && disk.failing === 'open');
      if (incoming && disk.failing === 'write') {
        await (await real.open(path, flags, mode)).close();
        return real.open('/dev/full', 'w');
      }
      const file = await real.open(path, flags, mode);
      if (incoming && disk.failing === 'sync') file.sync = () => Promise.reject(failure());
      if (flags === 'r' && disk.failing === 'directory' && /files\/[0-9a-f-]{36}\/[0-9a-f]{2}$/.test(path))
        file.sync = () => Promise.reject(failure());
      if (incoming && disk.failing === 'small') {
        const write = file.writeFile.bind(file);
        file.writeFile = (async (data: Buffer) => {
          if (data.length > 8192) throw failure();
          return write(data);
        }) as typeof file.writeFile;
      }
      return file;
    },
    rename: async (from: string, to: string) => {
      failWhen(from.includes('/files/incoming/') && disk.failing === 'rename');
      return real.rename(from, to);
    },
    statfs: async (path: string) => ({
      ...(await real.statfs(path)),
      ...(disk.free !== null && { bavail: disk.free, bsize: 1 }),
    }),
  };
});

const world = await shared(startWorld({ sabotaged: true }));
const id = (await world.create()).body.id;
afterEach(() => void Object.assign(disk, { failing: null, code: 'ENOSPC', free: null }));

const filesOf = async (): Promise<string[]> =>
  (await readdir(join(world.running.services.config.dataDir, 'files'), { recursive: true })).filter((path) =>
    /[0-9a-f]{32}$/.test(path),
  );
const left = async () => [await filesOf(), await world.acme.audit(), (await world.get(id)).body.documents];
const readiness = async (): Promise<[number, unknown]> => {
  // The readiness answer is cached for a second.
  await setTimeout(1100);
  const response = await fetch(`${world.url}/readyz`);
  return [response.status, await response.json()];
};
const comeBack = { code: 'dependency_unavailable', retryable: true, retryAfter: 1 };

describe('a file storage that fails', () => {
  it.each([
    ['when a file is begun', 'open', 'ENOSPC'],
    ['when it is written', 'write', 'ENOSPC'],
    ['when it is synchronised', 'sync', 'EIO'],
    ['when it is moved', 'rename', 'EDQUOT'],
    ['when its folder is synchronised', 'directory', 'EIO'],
    ['because it is read-only', 'open', 'EROFS'],
    ['because the process has too many files open', 'open', 'EMFILE'],
    ['because the file may not be so large', 'sync', 'EFBIG'],
    ['because its volume is gone', 'open', 'ENOENT'],
  ] as const)('makes an upload retryable, and leaves neither file nor row: %s', async (text, failing, code) => {
    const before = await left();
    Object.assign(disk, { failing, code });
    const once = { 'Idempotency-Key': text.replaceAll(' ', '-') };
    const answer = await world.upload(id, jpeg({ text }), {}, { ...world.key, ...once });
    expect([answer.status, answer.headers.get('retry-after'), answer.body]).toMatchObject([503, '1', comeBack]);
    expect(answer.text).not.toMatch(/ENOSPC|files|incoming/);
    expect(await left()).toEqual(before);
    disk.failing = null;
    expect((await world.upload(id, jpeg({ text }), {}, { ...world.key, ...once })).status).toBe(201);
  });

  it('takes the process out of service until it accepts files again', async () => {
    disk.failing = 'write';
    expect(await readiness()).toEqual([503, { status: 'file storage unavailable' }]);
    expect((await fetch(`${world.url}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${world.url}/metrics`)).text()).toMatch(/^file_storage_writable 0$/m);
    disk.failing = null;
    expect(await readiness()).toEqual([200, { status: 'ready' }]);
    expect((await filesOf()).filter((path) => path.includes('incoming'))).toEqual([]);
  });

  it('takes it out of service before the last byte is used', async () => {
    disk.free = 10_000_000;
    expect(await readiness()).toEqual([503, { status: 'file storage unavailable' }]);
    expect(await (await fetch(`${world.url}/metrics`)).text()).toMatch(/^file_storage_free_bytes 10000000$/m);
  });

  it('is not considered well because it still accepts small files', async () => {
    disk.failing = 'small';
    expect((await world.upload(id, jpeg({ text: 'x'.repeat(20_000) }))).status).toBe(503);
    expect((await readiness())[0]).toBe(503);
    disk.failing = null;
    expect((await readiness())[0]).toBe(200);
  });
});

describe('a database whose disk is full', () => {
  it.each(['53100', '53200', '53000', '58030'])('makes every write retryable: %s', async (state) => {
    await world.database.sql(
      `CREATE OR REPLACE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'could not extend file "base/1/2"' USING ERRCODE = '${state}'; END $$`,
    );
    for (const table of ['application', 'document', 'audit_event'] as const) {
      await world.database.sql(
        `CREATE TRIGGER no_room BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION no_room()`,
      );
      const created = await world.create();
      const uploaded = await world.upload(id, jpeg({ text: `${state} ${table}` }));
      const answers = { application: [created], document: [uploaded], audit_event: [created, uploaded] }[table];
      for (const answer of answers) {
        expect([answer.status, answer.body]).toMatchObject([503, comeBack]);
        expect(answer.text).not.toMatch(/base|extend/);
      }
      await world.database.sql(`DROP TRIGGER no_room ON ${table}`);
    }
    expect((await world.create()).status).toBe(201);
  });
});
