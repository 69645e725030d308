/**
 * Callers of one tenant who use the service while a test loads it in another way. Used by the tests of hostile clients
 * and the benchmark.
 */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const CALLERS = 3;
const PAUSE_MS = 20;

interface Call {
  readonly method: string;
  readonly path: string;
  readonly as: Readonly<Record<string, string>>;
  readonly status: number;
}

export interface Served {
  /** Milliseconds of each call, in ascending order. */
  readonly taken: readonly number[];
  /** Unexpected responses. */
  readonly failures: readonly string[];
}

/** Creates callers of a tenant who list and create applications and read the feed from an address of their own. */
export function callersOf(
  url: string,
  key: Readonly<Record<string, string>>,
  token: Readonly<Record<string, string>>,
): (seconds: number) => Promise<Served> {
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const body = JSON.stringify({ purpose: 'other', applicant: { fullName: 'Maria da Silva' } });
  const calls: readonly Call[] = [
    {
      method: 'GET',
      path: '/v1/applications',
      as: key,
      status: 200,
    },
    {
      method: 'POST',
      path: '/v1/applications',
      as: key,
      status: 201,
    },
    {
      method: 'GET',
      path: '/api/v1/funds-recovery/events',
      as: token,
      status: 200,
    },
  ];
  const call = ({ method, path, as }: Call): Promise<number> =>
    new Promise((resolve, reject) => {
      request(
        url + path,
        {
          method,
          agent,
          localAddress: '127.0.0.20',
          headers: { ...as, ...(method === 'POST' && { 'Content-Type': 'application/json' }) },
        },
        (response) => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0));
        },
      )
        .on('error', reject)
        .end(method === 'POST' ? body : undefined);
    });
  return async (seconds) => {
    const [taken, failures]: [number[], string[]] = [[], []];
    const end = performance.now() + seconds * 1000;
    await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        while (performance.now() < end) {
          for (const one of calls) {
            const begun = performance.now();
            const answered = await call(one).catch((error: Error) => error.message);
            taken.push(performance.now() - begun);
            if (answered !== one.status) failures.push(`${one.method} ${one.path}: ${answered}`);
          }
          await sleep(PAUSE_MS);
        }
      }),
    );
    return { taken: taken.sort((a, b) => a - b), failures };
  };
}

/** Returns the token of a client that reads the feed. */
export async function tokenOf(
  url: string,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): Promise<string> {
  const answer = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'read' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/**
 * Runs `work` while hostile clients attack from a separate thread, and returns how often each kind of attack was made.
 */
export async function besideStrangers<T>(
  url: string,
  seed: number,
  work: () => Promise<T>,
): Promise<readonly [T, Readonly<Record<string, number>>]> {
  const strangers = new Worker(new URL('../fault/hostile-clients.ts', import.meta.url), { workerData: { url, seed } });
  const broken = once(strangers, 'error').then(([error]) => {
    throw error;
  });
  try {
    const done = await Promise.race([work(), broken]);
    strangers.postMessage('rounds?');
    const [rounds] = (await once(strangers, 'message')) as [Record<string, number>];
    return [done, rounds];
  } finally {
    await strangers.terminate();
  }
}

/** Returns the value below which this share of the values lies. */
export const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
