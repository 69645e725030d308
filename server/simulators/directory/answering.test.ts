/** Tests of the rates, the authentication and the refusals of the simulated directory. */
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DirectoryClient, openAuthority } from '../../providers/directory/index.ts';
import { sandboxIspb } from './core/values.ts';
import { TestSandbox } from './testing/test-sandbox.ts';
import { directoryRates } from './wire/rate-limits.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await TestSandbox.open();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.newTenant());

describe('the rate limits of the simulated directory', () => {
  it('equal the published policies', async () => {
    expect(await sandbox.client.getPolicy(sandbox.ispb, 'EVENT_LIST')).toEqual({
      availableTokens: 200,
      ...directoryRates.EVENT_LIST,
    });
    await expect(sandbox.client.getPolicy(sandbox.ispb, 'NO_SUCH_POLICY')).rejects.toMatchObject({ kind: 'NotFound' });
  });

  it('count the requests of each participant separately', async () => {
    const strict = await sandbox.another({
      rates: { EVENT_LIST: { capacity: 2, refillTokens: 1, refillPeriodSeconds: 3600 } },
    });
    const client = sandbox.clientOf(strict);
    const list = async (ispb: string) => client.listEventNotifications(ispb, { cursor: null, includeIndirect: false });
    for (let i = 0; i < 2; i++) await list(sandbox.ispb);
    expect((await client.getPolicy(sandbox.ispb, 'EVENT_LIST')).availableTokens).toBe(0);
    await expect(list(sandbox.ispb)).rejects.toMatchObject({ kind: 'RateLimited', retryAfterSeconds: 3600 });
    expect((await list(sandboxIspb(await sandbox.database.tenant()))).notifications).toEqual([]);
    await client.close();
    await strict.stop();
  });
});

describe('the caller of the simulated directory', () => {
  const raw = async (as: string, path: string, headers: Record<string, string> = {}) => {
    const authority = await openAuthority(join(sandbox.dataDir, 'directory'));
    const identity = await authority.client(as);
    return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
      const agent = new Agent({
        ca: authority.certificate,
        cert: identity.certificate,
        key: identity.key,
        keepAlive: true,
      });
      request(new URL(path, sandbox.simulator.url), { agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            agent.destroy();
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
            });
          });
      })
        .on('error', reject)
        .end();
    });
  };

  it('is identified as a participant by its certificate', async () => {
    const { status, headers, body } = await raw('9ABCDEFG', 'event-notifications?Participant=9ABCDEFG');
    expect([status, headers['content-type']]).toEqual([403, 'application/problem+xml']);
    expect(body).toContain('https://dict.pi.rsfn.net.br/api/v2/error/Forbidden');
  });

  it('may request only its own data, in the query and in the header', async () => {
    const other = sandboxIspb(await sandbox.database.tenant());
    expect((await raw(sandbox.ispb, `event-notifications?Participant=${other}`)).status).toBe(403);
    const own = `event-notifications?Participant=${sandbox.ispb}`;
    expect((await raw(sandbox.ispb, own, { 'PI-RequestingParticipant': other })).status).toBe(403);
    const plain = await raw(sandbox.ispb, own, { 'PI-RequestingParticipant': sandbox.ispb });
    expect([plain.status, plain.headers['content-encoding'], plain.headers['keep-alive']]).toEqual([
      200,
      undefined,
      'timeout=65',
    ]);
    const zipped = await raw(sandbox.ispb, own, { 'Accept-Encoding': 'gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
  });

  it('is rejected without a certificate, or with one of another authority', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'directory-other-'));
    const stranger = await openAuthority(folder);
    const client = new DirectoryClient({ ...sandbox.simulator.client, identify: (name) => stranger.client(name) });
    await expect(
      client.listEventNotifications(sandbox.ispb, { cursor: null, includeIndirect: false }),
    ).rejects.toMatchObject({ kind: 'Transport' });
    await client.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    ['event-notifications', 400],
    ['event-notifications?Participant=me', 400],
    ['event-notifications?Participant=ISPB&IncludeIndirectParticipants=perhaps', 400],
    ['infraction-reports/?Participant=ISPB&Limit=201', 400],
    ['infraction-reports/?Participant=ISPB&ModifiedAfter=yesterday', 400],
    ['infraction-reports/?Participant=ISPB', 200],
    ['refunds/?Participant=ISPB', 400],
    ['funds-recoveries/5f0c1b7e-9d1a-4c53-8e53-6a2f0c9d1e22', 404],
    ['funds-recoveries/1', 404],
    ['claims/', 404],
    ['funds-recoveries/', 404],
  ])('gets %s answered %i', async (path, status) => {
    expect((await raw(sandbox.ispb, path.replace('ISPB', sandbox.ispb))).status).toBe(status);
  });
});
