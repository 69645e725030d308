/**
 * Worker of a tenant that does external work of workflows, over HTTP, until the crash test (workflow-crash.test.ts)
 * kills it. Each effect outside of the service is a line of a file: the key by which the outside knows repeats.
 * Usage: `workflow-worker.ts <address of the service> <headers as JSON> <type of work> <file>`
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Shortest lock that the service gives, because the work of a killed worker waits for its end. */
const LOCK_SECONDS = 5;
/** Duration of the work. A worker that is killed in it has done something that it can no longer report. */
const WORK_MILLISECONDS = 20;

const [url, credential, type, file] = process.argv.slice(2) as [string, string, string, string];
const headers = { 'Content-Type': 'application/json', ...(JSON.parse(credential) as Record<string, string>) };
const worker = `worker-${process.pid}`;

async function post<T>(path: string, body: object): Promise<T | null> {
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => null);
  return answer?.ok === true ? ((await answer.json()) as T) : null;
}

interface Work {
  readonly id: string;
  readonly idempotencyKey: string;
}

for (;;) {
  const order = {
    types: [type],
    worker,
    maximum: 1,
    lockSeconds: LOCK_SECONDS,
    waitSeconds: 1,
  };
  const taken = await post<{ readonly items: readonly Work[] }>('/v1/workflows/jobs/activate', order);
  // The service is without its database for a moment.
  if (taken === null) await sleep(100);
  for (const { id, idempotencyKey } of taken?.items ?? []) {
    appendFileSync(file, `${idempotencyKey}\n`);
    await sleep(WORK_MILLISECONDS);
    await post(`/v1/workflows/jobs/${id}/result`, { worker, outcome: 'completed', variables: { score: 1 } });
  }
}
