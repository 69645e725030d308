import { randomUUID } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Recording } from './recordings.ts';

const COUNT = /^http_request_duration_seconds_count\{operation="([^"]+)",status="(\d{3})"\} (\d+)$/gm;

const received = new Map<string, Set<string>>();

/** The metrics know no media types, so the client's side is listened to as well: `fetch` publishes every answer. */
subscribe('undici:request:headers', (message) => {
  const { request, response } = message as {
    request: { origin: string; method: string; path: string }; response: { statusCode: number; headers: readonly Buffer[] };
  };
  const names = response.headers.map(String);
  const type = names[names.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-type') + 1] ?? '';
  const seen = received.get(request.origin) ?? new Set();
  received.set(request.origin, seen.add([request.method, request.path.split('?')[0], response.statusCode, type.split(';')[0]].join(' ')));
});

/** Which operation answered which status, and how often; to be called before the service stops. */
export async function recordCoverage(url: string): Promise<void> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const recording: Recording = {
    answers: [...text.matchAll(COUNT)].map(([, operation = '', status, count]) => ({ operation, status: Number(status), count: Number(count) })),
    mediaTypes: [...received.get(url) ?? []],
  };
  const directory = inject('recordings');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, `${randomUUID()}.json`), `${JSON.stringify(recording)}\n`);
}
