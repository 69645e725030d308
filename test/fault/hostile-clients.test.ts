import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { LOGS } from '../../scripts/test/command.ts';
import { startLiveService } from '../../scripts/test/live-service.ts';
import { shared } from '../support/service.ts';

const SEED = 20261122;
const IS_SOAK = process.env['SOAK'] === 'true';
const SECONDS = IS_SOAK ? 600 : 8;
/** What another tenant is promised. A run beside other tests tells only that nothing stands still. */
const P99_MILLISECONDS = IS_SOAK ? 100 : 2000;
const CALLERS = 3;
const LOG = join(LOGS, 'hostile-clients-service.log');

interface Call {
  readonly method: string;
  readonly path: string;
  readonly as: Readonly<Record<string, string>>;
  readonly status: number;
}

/** The quotas of strangers are those of production. */
const service = await shared(startLiveService('hostile-clients', { RATE_LIMIT_PAGES: '3000', RATE_LIMIT_FAILED_AUTHENTICATIONS: '100', RATE_LIMIT_LOGINS_PER_ADDRESS: '10' }));

it(`serves a tenant while strangers do their worst for ${SECONDS} s`, async () => {
  const demo = JSON.parse(readFileSync(service.demo, 'utf8')) as { apiKey: string; clientId: string; clientSecret: string };
  const key = { 'X-API-Key': demo.apiKey };
  const token = { Authorization: `Bearer ${await tokenOf(demo)}` };
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const body = JSON.stringify({ purpose: 'other', applicant: { fullName: 'Maria da Silva' } });
  const call = ({ method, path, as }: Call): Promise<number> => new Promise((resolve, reject) => {
    request(service.baseUrl + path, { method, agent, localAddress: '127.0.0.20', headers: { ...as, ...(method === 'POST' && { 'Content-Type': 'application/json' }) } },
      (response) => { response.resume().on('end', () => resolve(response.statusCode ?? 0)); }).on('error', reject).end(method === 'POST' ? body : undefined);
  });
  const calls: readonly Call[] = [
    { method: 'GET', path: '/v1/applications', as: key, status: 200 }, { method: 'POST', path: '/v1/applications', as: key, status: 201 },
    { method: 'GET', path: '/api/v1/funds-recovery/events', as: token, status: 200 },
  ];
  for (const one of calls) expect(await call(one), one.path).toBe(one.status);

  const logged = readFileSync(LOG, 'utf8').length;
  const strangers = new Worker(new URL('hostile-clients.ts', import.meta.url), { workerData: { url: service.baseUrl, seed: SEED } });
  const broken = once(strangers, 'error').then(([error]) => { throw error; });
  const taken: number[] = [];
  const failures: string[] = [];
  const end = performance.now() + SECONDS * 1000;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      for (const one of calls) {
        const begun = performance.now();
        const answered = await call(one).catch((error: Error) => error.message);
        taken.push(performance.now() - begun);
        if (answered !== one.status) failures.push(`${one.method} ${one.path}: ${answered}`);
      }
      await sleep(20);
    }
  };
  await Promise.race([Promise.all(Array.from({ length: CALLERS }, caller)), broken]);
  strangers.postMessage('rounds?');
  const [rounds] = await once(strangers, 'message') as [Record<string, number>];
  await strangers.terminate();
  taken.sort((a, b) => a - b);
  const at = (share: number): number => Math.round(taken[Math.floor((taken.length - 1) * share)] ?? 0);
  console.log(`${taken.length} calls beside hostile clients: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms; rounds ${JSON.stringify(rounds)}, seed ${SEED}`);
  expect(failures).toEqual([]);
  expect(taken.length).toBeGreaterThan(SECONDS * 5);
  expect(at(0.99)).toBeLessThan(P99_MILLISECONDS);
  // No stranger finds a defect.
  expect(readFileSync(LOG, 'utf8').slice(logged).split('\n').filter((line) => line.includes('"err":'))).toEqual([]);
  // What they held is free again.
  await expect.poll(async () => (await fetch(`${service.baseUrl}/metrics`)).text(), { interval: 500 })
    .toMatch(/^http_held_bytes 0$[^]*^http_requests_in_flight 0$[^]*^http_requests_receiving 0$/m);
}, (SECONDS + 60) * 1000);

async function tokenOf({ clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string }): Promise<string> {
  const answer = await fetch(`${service.baseUrl}/oauth/token`, {
    method: 'POST', headers: { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` }, body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'read' }),
  });
  return (await answer.json() as { access_token: string }).access_token;
}
