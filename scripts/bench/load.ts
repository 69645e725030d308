/**
 * Load generator: a closed loop over keep-alive connections, or requests at even intervals, in a separate process. See
 * docs/decisions/0033-bench.md. Used by laboratory.ts and the measurements of requests.
 */
import { randomUUID } from 'node:crypto';
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { serve } from './program.ts';

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Parameters of the load. */
export interface Plan {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /**
   * Requests per second on all connections together, at even intervals; without it every connection is kept busy. The
   * time of a request counts from when it was due, so that one that waits for a slow one is slow as well.
   */
  readonly perSecond?: number;
  /** Sent in turn, repeatedly. */
  readonly requests: readonly Request[];
  readonly expectedStatus: number;
  /** Adds a fresh `Idempotency-Key` to every request. */
  readonly idempotencyKeys?: boolean;
  /** Whether each request reads a list: it goes on with the cursor of its last page, and begins again at the end. */
  readonly followCursors?: boolean;
}

export interface Measurement {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
}

/** Sends the requests until the time is up. An unexpected response ends the measurement. */
async function measure({
  url,
  connections,
  seconds,
  perSecond,
  requests,
  expectedStatus,
  idempotencyKeys = false,
  followCursors = false,
}: Plan): Promise<Measurement> {
  const clients = Array.from({ length: connections }, () => new Client(url));
  const waiting = requests.map((first) => ({ first, next: first }));
  const latencies = createHistogram();
  const begun = performance.now();
  const deadline = begun + seconds * 1000;
  const exchange = async (client: Client): Promise<void> => {
    const reader = waiting.shift();
    if (reader === undefined) throw new Error('there are more connections than readers');
    if (!followCursors) waiting.push(reader);
    const {
      first,
      next: { method, path, headers, body = null },
    } = reader;
    const response = await client.request({
      method,
      path,
      body,
      headers: idempotencyKeys ? { ...headers, 'idempotency-key': randomUUID() } : headers,
    });
    const text = await response.body.text();
    if (response.statusCode !== expectedStatus)
      throw new Error(`${method} ${path} was answered by ${response.statusCode}: ${text.slice(0, 500)}`);
    if (!followCursors) return;
    const cursor = cursorAfter(text);
    waiting.push({
      first,
      next: cursor === null ? first : { ...first, path: first.path.replace(/(?<=[?&]cursor=)[^&]*/, cursor) },
    });
  };
  try {
    await Promise.all(
      clients.map(async (client, index) => {
        const dueAt = (turn: number): number =>
          perSecond === undefined ? performance.now() : begun + ((index + turn * connections) / perSecond) * 1000;
        for (let turn = 0, due = dueAt(0); due < deadline; due = dueAt(++turn)) {
          if (due > performance.now()) await sleep(due - performance.now());
          await exchange(client);
          latencies.record(Math.max(1, Math.round((performance.now() - due) * 1e6)));
        }
      }),
    );
  } finally {
    await Promise.all(clients.map((client) => client.destroy()));
  }
  const milliseconds = (percentile: number): number => latencies.percentile(percentile) / 1e6;
  return {
    requests: latencies.count,
    perSecond: (latencies.count / (performance.now() - begun)) * 1000,
    p50Milliseconds: milliseconds(50),
    p99Milliseconds: milliseconds(99),
  };
}

/**
 * Returns the cursor at the end of the page without parsing the page, which would cost more than requesting it. Null
 * for the last page.
 */
function cursorAfter(page: string): string | null {
  const [, cursor, hasMore] = /"cursor":"([\w-]+)","hasMore":(true|false)\}$/.exec(page.slice(-200)) ?? [];
  if (cursor === undefined) throw new Error(`a page does not end with its cursor: …${page.slice(-200)}`);
  return hasMore === 'true' ? cursor : null;
}

if (import.meta.main) serve(measure);
