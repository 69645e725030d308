/**
 * Records which statuses, media types and problem codes the tested services return. Used by service.ts, so that every
 * test with a service records what it saw.
 */
import { randomUUID } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, inject } from 'vitest';
import type { Recording } from './recordings.ts';

const COUNT = /^http_request_duration_seconds_count\{operation="([^"]+)",status="(\d{3})"\} (\d+)$/gm;
const CODE = /"type":"\/problems\/(\w+)"/;

interface Request {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
}
interface Received {
  readonly mediaTypes: Set<string>;
  readonly codes: Set<string>;
}

const received = new Map<string, Received>();
/** Problem responses in progress, by request: the key under which each code will be recorded. */
const problems = new WeakMap<Request, string>();

/**
 * The metrics have neither media types nor codes, so the responses are also recorded on the client's side: `fetch`
 * publishes each of them.
 */
subscribe('undici:request:headers', (message) => {
  const { request, response } = message as {
    request: Request;
    response: { statusCode: number; headers: readonly Buffer[] };
  };
  const names = response.headers.map(String);
  const type = (
    names[names.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-type') + 1] ?? ''
  ).split(';')[0];
  const answer = [request.method, request.path.split('?')[0], response.statusCode].join(' ');
  if (!received.has(request.origin)) received.set(request.origin, { mediaTypes: new Set(), codes: new Set() });
  received.get(request.origin)?.mediaTypes.add(`${answer} ${type}`);
  if (type === 'application/problem+json') problems.set(request, answer);
});

/** A problem is small, so the first chunk of its body contains its code. */
subscribe('undici:request:bodyChunkReceived', (message) => {
  const { request, chunk } = message as { request: Request; chunk: Buffer };
  const answer = problems.get(request);
  if (answer === undefined) return;
  problems.delete(request);
  received.get(request.origin)?.codes.add(`${answer} ${CODE.exec(chunk.toString('utf8'))?.[1]}`);
});

/** Records how often each operation returned which status; must be called before the service stops. */
export async function recordCoverage(url: string): Promise<void> {
  const directory = inject('recordings');
  if (directory === undefined) return;
  const text = await (await fetch(`${url}/metrics`)).text();
  const { mediaTypes, codes } = received.get(url) ?? { mediaTypes: [], codes: [] };
  received.delete(url);
  const { testPath } = expect.getState();
  const recording: Recording = {
    file: testPath === undefined ? null : relative(join(import.meta.dirname, '../..'), testPath),
    answers: [...text.matchAll(COUNT)].map(([, operation = '', status, count]) => ({
      operation,
      status: Number(status),
      count: Number(count),
    })),
    mediaTypes: [...mediaTypes],
    codes: [...codes],
  };
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, `${randomUUID()}.json`), `${JSON.stringify(recording)}\n`);
}
