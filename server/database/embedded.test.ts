/** Tests of the PostgreSQL server that the service starts itself if DATABASE_URL is not set. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silent } from '../../test/support/silent.ts';
import type { Log } from '../base/log.ts';
import { type EmbeddedServer, startEmbedded } from './embedded.ts';
import { startOf } from './embedded/directory-lock.ts';
import { withClient } from './pool.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'embedded-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const start = (dataDir: string, options: { log?: Log; durable?: boolean } = {}): Promise<EmbeddedServer> =>
  startEmbedded({
    dataDir,
    superuser: 'postgres',
    password: 'secret',
    durable: false,
    log: silent,
    ...options,
  });

/**
 * Data directory of a stopped server: creating a cluster costs more than most of these tests, and copying one costs
 * very little.
 */
let stopped: string;
beforeAll(async () => {
  stopped = mkdtempSync(join(tmpdir(), 'embedded-stopped-'));
  await (await start(stopped)).stop();
});
afterAll(() => rmSync(stopped, { recursive: true, force: true }));

function used(dataDir = join(root, 'data')): string {
  mkdirSync(dataDir, { mode: 0o700 });
  execFileSync('cp', ['-a', join(stopped, 'postgres'), dataDir]);
  return dataDir;
}

const ask = (server: EmbeddedServer, text: string, password = 'secret'): Promise<unknown> =>
  withClient(
    {
      host: server.host,
      port: server.port,
      database: 'postgres',
      ssl: false,
      user: 'postgres',
      password,
    },
    async (client) => Object.values((await client.query(text)).rows[0] ?? {})[0],
  );

describe('the embedded server', () => {
  it('is created once, keeps its data and refuses logins without the password', async () => {
    const dataDir = join(root, 'data');
    const first = await start(dataDir);
    expect(first.firstStart).toBe(true);
    await ask(first, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await expect(ask(first, 'SELECT 1', 'wrong')).rejects.toMatchObject({ code: '28P01' });
    expect(await ask(first, `SELECT current_setting('listen_addresses')`)).toBe('');
    expect(
      await ask(first, `SELECT datlocprovider::text || datlocale FROM pg_database WHERE datname = 'postgres'`),
    ).toBe('bC.UTF-8');
    expect(statSync(first.host).mode & 0o777).toBe(0o700);
    await first.stop();

    const second = await start(dataDir);
    expect(second.firstStart).toBe(false);
    expect(await ask(second, 'SELECT answer FROM kept')).toBe(42);
    await second.stop();
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);
  });

  it('starts below a folder that only the service’s account may enter', async () => {
    chmodSync(root, 0o700);
    const server = await start(join(root, 'data'));
    expect(await ask(server, 'SELECT 1')).toBe(1);
    await server.stop();
  });

  it('finds a short place for its socket when the path is too long', async () => {
    const server = await start(used(join(root, 'x'.repeat(100))));
    expect(server.host.startsWith(root)).toBe(false);
    expect(await ask(server, 'SELECT 1')).toBe(1);
    await server.stop();
    rmSync(server.host, { recursive: true });
  });

  it('starts over after an interrupted first start', async () => {
    const dataDir = join(root, 'data');
    mkdirSync(join(dataDir, 'postgres.new'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres.new', 'half'), '');
    writeFileSync(join(dataDir, 'postgres.password'), 'old');
    const server = await start(dataDir);
    expect(await ask(server, 'SELECT 1')).toBe(1);
    expect(existsSync(join(dataDir, 'postgres.password'))).toBe(false);
    await server.stop();
  });

  it('refuses a second service on the same data', async () => {
    const dataDir = used();
    const server = await start(dataDir);
    await expect(start(dataDir)).rejects.toThrow('is in use by the service');
    expect(await ask(server, 'SELECT 1')).toBe(1);
    await server.stop();
  });

  it('says why it does not start', async () => {
    const dataDir = used();
    writeFileSync(join(dataDir, 'postgres', 'postgresql.conf'), 'nonsense\n', { flag: 'a' });
    await expect(start(dataDir)).rejects.toThrow(/does not start:[^]*postgresql.conf/);
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);
  });

  it('is restarted after it was killed', async () => {
    const server = await start(used(), { durable: true });
    await ask(server, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const killed = server.pid() ?? 0;
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => ask(server, 'SELECT answer FROM kept').catch(() => null), { interval: 50 }).toBe(42);
    expect(server.pid()).not.toBe(killed);
    await server.stop();
  });

  it('stops the server that a killed service left behind', async () => {
    const dataDir = used();
    const service = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `
      const { startEmbedded } = await import(${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)});
      const log = { info() {}, warn() {}, error() {} };
      const dataDir = ${JSON.stringify(dataDir)};
      const login = { superuser: 'postgres', password: 'secret' };
      const server = await startEmbedded({ dataDir, ...login, durable: false, log });
      console.log(server.pid());
      setInterval(() => {}, 1000);
    `,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(service.stdout, 'data')) as [Buffer];
    const orphan = Number(line.toString());
    service.kill('SIGKILL');
    await once(service, 'exit');
    expect(startOf(orphan)).not.toBeNull();

    const warnings: string[] = [];
    const server = await start(dataDir, { log: { ...silent, warn: (_, message) => warnings.push(message) } });
    expect(warnings).toEqual([expect.stringContaining('earlier service left behind')]);
    expect(startOf(orphan)).toBeNull();
    expect(await ask(server, 'SELECT 1')).toBe(1);
    await server.stop();
  });
});
