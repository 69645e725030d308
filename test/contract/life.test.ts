/** Tests of starting, overloading, monitoring and stopping the service. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { knex } from '../../server/database/index.ts';
import { withClient } from '../../server/database/pool.ts';
import { generateApiKey } from '../../server/identity/api-key.ts';
import { refusal } from '../support/api.ts';
import { startTestService, type TestService } from '../support/service.ts';

const running: TestService[] = [];
const start = async (...options: Parameters<typeof startTestService>): Promise<TestService> => {
  const service = await startTestService(...options);
  running.push(service);
  return service;
};
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()));
});

const APPLICATION = { purpose: 'account_opening', applicant: { fullName: 'Maria da Silva' } };

/** Locks the head of a tenant's audit chain, so that its changes wait until `release`. */
async function holdChanges({ database }: TestService, tenantId: string): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = database.database.platform({ tenantId }, async (tx) => {
    await tx.query(knex('audit_head').select('sequence').where('tenant_id', tenantId).forUpdate());
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return async () => {
    released.resolve();
    await holding;
  };
}

describe('a service that is told to stop', () => {
  it('finishes its work, closes every connection, and loses nothing', async () => {
    const service = await start();
    const as = await service.acme.key(['read', 'write']);
    const release = await holdChanges(service, service.acme.id);
    const begun = service.request('POST', '/v1/applications', { as, body: APPLICATION });
    await new Promise((resolve) => setTimeout(resolve, 100));
    running.length = 0;
    const stopped = service.running.stop();
    await expect(service.request('GET', '/healthz')).rejects.toThrow();
    await release();
    const answer = await begun;
    expect([answer.status, answer.headers.get('connection')]).toEqual([201, 'close']);
    await stopped;
  });

  it('does not wait for ever', async () => {
    const service = await start({ env: { SHUTDOWN_GRACE_SECONDS: '1' } });
    const as = await service.acme.key(['read', 'write']);
    const release = await holdChanges(service, service.acme.id);
    const begun = service.request('POST', '/v1/applications', { as, body: APPLICATION }).catch(() => 'cut off');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const from = performance.now();
    running.length = 0;
    const stopped = service.running.stop();
    expect(await begun).toBe('cut off');
    expect(performance.now() - from).toBeLessThan(8_000);
    await release();
    await stopped;
  });
});

describe('a service under overload', () => {
  /** Surplus of 60 requests: one database connection has 25 places, and one address gets as many as it leaves free. */
  const SURPLUS = 47;

  it('refuses the surplus at once, and recovers', async () => {
    const service = await start({ env: { DATABASE_POOL_SIZE: '1' } });
    const as = await service.acme.key(['read', 'write']);
    const release = await holdChanges(service, service.acme.id);
    const refused: unknown[] = [];
    const allRefused = Promise.withResolvers<void>();
    const calls = Array.from({ length: 60 }, async () => {
      const { status, body, headers } = await service.request('POST', '/v1/applications', { as, body: APPLICATION });
      if (status !== 201) refused.push([status, body.code, body.retryable, headers.get('retry-after')]);
      if (refused.length === SURPLUS) allRefused.resolve();
    });
    await allRefused.promise;
    await release();
    await Promise.all(calls);
    expect(refused).toEqual(Array.from({ length: SURPLUS }, () => [503, 'overloaded', true, '1']));
    expect((await service.api.GET('/v1/applications', { headers: as })).response.status).toBe(200);
    expect((await service.request('GET', '/metrics')).text).toContain(`http_requests_shed_total ${SURPLUS}`);
  });
});

describe('monitoring', () => {
  it('sees that the service lives and that it is ready', async () => {
    const service = await start();
    expect((await service.request<{ status: string }>('GET', '/healthz')).body).toEqual({ status: 'alive' });
    expect((await service.request<{ status: string }>('GET', '/readyz')).body).toEqual({ status: 'ready' });
    expect((await service.request<{ keys: object[] }>('GET', '/.well-known/jwks.json')).body.keys).toEqual([
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: expect.any(String),
        kid: expect.any(String),
        use: 'sig',
        alg: 'EdDSA',
      },
    ]);
  });

  it('sees that the service lives but is not ready while its database is away', async () => {
    const service = await start();
    const {
      superuser,
      location: { database },
    } = service.database;
    const administer = (text: string) =>
      withClient({ ...superuser, database: 'postgres' }, (client) => client.query(text));
    await administer(`ALTER DATABASE ${database} CONNECTION LIMIT 0`);
    await administer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
    expect((await service.request('GET', '/healthz')).status).toBe(200);
    expect((await service.request('GET', '/readyz')).status).toBe(503);
    const refused = await refusal(
      service.api.GET('/v1/applications', { headers: { 'X-API-Key': generateApiKey('live').secret } }),
    );
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'dependency_unavailable',
      '1',
    ]);
    await administer(`ALTER DATABASE ${database} CONNECTION LIMIT -1`);
    expect((await service.request('GET', '/readyz')).status).toBe(200);
  });
});

describe('the first request of an operation', () => {
  it('finds everything compiled', async () => {
    const service = await start();
    const as = await service.acme.key(['read', 'write', 'admin']);
    /** Returns the processor milliseconds that this process uses for a request, which other processes do not affect. */
    const work = async (method: string, path: string, body?: object): Promise<number> => {
      const from = process.cpuUsage();
      await service.request(method, path, { as, ...(body !== undefined && { body }) });
      const { user, system } = process.cpuUsage(from);
      return (user + system) / 1000;
    };
    const firsts = [
      await work('POST', '/v1/applications', APPLICATION),
      await work('GET', '/v1/settings/api-keys'),
      await work('GET', '/v1/sandbox'),
    ];
    expect(Math.max(...firsts)).toBeLessThan(150);
  });
});

describe('starting', () => {
  const main = join(import.meta.dirname, '../../server/main.ts');
  const run = (
    node: string,
    env: Record<string, string>,
    args: readonly string[] = [],
  ): Promise<{ code: number | null; output: string }> => {
    const { promise, resolve } = Promise.withResolvers<{ code: number | null; output: string }>();
    const child = spawn(node, [main, ...args], { env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += String(chunk);
      });
    child.on('close', (code) => resolve({ code, output }));
    return promise;
  };

  it('lists every environment variable on request', async () => {
    const { code, output } = await run(process.execPath, {}, ['--help']);
    expect(code).toBe(0);
    expect(output).toMatch(/DATABASE_URL[^]*SHUTDOWN_GRACE_SECONDS/);
  });

  it('reports all errors of the environment at once, in plain words', async () => {
    const { code, output } = await run(process.execPath, { PORT: 'http', TRUST_PROXY: '-1' });
    expect(code).toBe(1);
    expect(output).toMatch(/PORT must be an integer[^]*TRUST_PROXY must be an integer/);
    expect(output).not.toMatch(/\n\s+at /);
  });

  it('reports a port in use in plain words, and stops its database again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'compliance-start-'));
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const { code, output } = await run(process.execPath, {
      PORT: String(port),
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      DEMO: 'false',
    });
    other.close();
    expect([code, output.trim()]).toEqual([
      1,
      expect.stringContaining(`Port ${port} of 127.0.0.1 is taken by another program.`),
    ]);
    rmSync(folder, { recursive: true });
  }, 120_000);
});
