/** Crash test of the whole service: nothing acknowledged is lost when service and database are killed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startLiveService } from '../../scripts/test/live-service.ts';
import type { LiveService } from '../../scripts/test/live-service.ts';
import { ComplianceOnboarding } from '../../sdks/typescript/src/index.ts';
import { randomOf } from '../support/random.ts';

const SEED = 20261121;
const ROUNDS = process.env['SOAK'] === 'true' ? 60 : 4;
const WRITERS = 4;

let service: LiveService;

beforeAll(async () => {
  service = await startLiveService('crash');
});
afterAll(() => service.stop());

it(
  `loses nothing acknowledged and duplicates nothing if service and database are killed ${ROUNDS} times in the ` +
    'middle of writes',
  async () => {
    const random = randomOf(SEED);
    const { apiKey } = JSON.parse(readFileSync(service.demo, 'utf8')) as { apiKey: string };
    const client = new ComplianceOnboarding({
      baseUrl: service.baseUrl,
      apiKey,
      maxRetries: 200,
      retryBudget: Infinity,
      deadline: 120_000,
      timeout: 5_000,
    });
    const acknowledged = new Map<string, string>();
    let writing = true;

    const writer = async (name: number): Promise<void> => {
      for (let n = 0; writing; n += 1) {
        const mark = `${name}-${n}`;
        const application = await client.applications.create({
          purpose: 'other',
          applicant: { fullName: 'Maria da Silva' },
          metadata: { mark },
        });
        acknowledged.set(mark, application.id);
      }
    };
    const writers = Promise.all(Array.from({ length: WRITERS }, (_, name) => writer(name)));

    for (let round = 0; round < ROUNDS; round += 1) {
      await sleep(200 + random() * 800);
      if (round % 2 === 0) process.kill(postmaster(service), 'SIGKILL');
      else service = await killAndRestart(service);
      await answers(service);
    }
    await sleep(300);
    writing = false;
    await writers;

    const stored = new Map<string, string[]>();
    for await (const { id, metadata } of client.applications.list({ limit: 100 })) {
      const mark = metadata['mark'];
      if (typeof mark === 'string') stored.set(mark, [...(stored.get(mark) ?? []), id]);
    }
    console.log(`${acknowledged.size} acknowledged writes, ${ROUNDS} kills, seed ${SEED}`);
    expect(acknowledged.size).toBeGreaterThan(ROUNDS * WRITERS);
    expect([...acknowledged].filter(([mark, id]) => stored.get(mark)?.join() !== id)).toEqual([]);
    expect([...stored].filter(([, ids]) => ids.length > 1)).toEqual([]);
  },
  60_000 + ROUNDS * 20_000,
);

/**
 * Returns the server's process id, the first line of postmaster.pid (PostgreSQL documentation, "Database File Layout").
 */
function postmaster({ dataDir }: LiveService): number {
  return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
}

async function killAndRestart(killed: LiveService): Promise<LiveService> {
  const gone = new Promise((resolve) => killed.process.once('exit', resolve));
  killed.process.kill('SIGKILL');
  await gone;
  return startLiveService('crash', {}, killed);
}

async function answers({ baseUrl }: LiveService): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50)) {
    if ((await fetch(`${baseUrl}/readyz`).catch(() => null))?.ok) return;
  }
  throw new Error('the service did not come back within 30 seconds');
}
