import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where every tested service leaves what it answered; git-ignored. `scripts/test/coverage.ts` reads it. */
export const COVERAGE_DIRECTORY = join(import.meta.dirname, '../../coverage/contract');

const COUNT = /^http_request_duration_seconds_count\{operation="([^"]+)",status="(\d{3})"\} (\d+)$/gm;

/** Which operation answered which status, and how often, as the service itself counted it. */
export async function recordCoverage(url: string): Promise<void> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const seen = [...text.matchAll(COUNT)].map(([, operation, status, count]) => ({ operation, status: Number(status), count: Number(count) }));
  await mkdir(COVERAGE_DIRECTORY, { recursive: true });
  await writeFile(join(COVERAGE_DIRECTORY, `${randomUUID()}.json`), `${JSON.stringify(seen)}\n`);
}
