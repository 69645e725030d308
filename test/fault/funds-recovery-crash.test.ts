import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startLiveService, type LiveService } from '../../scripts/test/live-service.ts';
import { connectDatabase, DatabaseUnavailable, knex, type Database } from '../../server/database/index.ts';
import { historyOf, scenarios, startRun, stateAt, type HistoryEvent } from '../../server/directory-simulator/index.ts';
import { loadSecrets } from '../../server/secrets.ts';
import { randomOf } from '../support/random.ts';
import { silent } from '../support/silent.ts';

const SEED = 20261121;
const KILLS = process.env['SOAK'] === 'true' ? 60 : 4;
/** Begun before each kill: following them takes the service long enough to be killed in the middle. */
const RUNS = 12;

let service: LiveService;
let database: Database;
beforeAll(async () => {
  service = await startLiveService('funds-recovery-crash');
  database = connect(service);
}, 90_000);
afterAll(async () => {
  await database.close();
  await service.stop();
});

it(`follows the directory without loss or doubling although service and database are killed ${KILLS} times while it polls (seed ${SEED})`, async () => {
  const random = randomOf(SEED);
  const tenantId = demoTenant();
  // Everything that they leave can still be read later; what they do is over in a moment.
  const courses = scenarios.filter(({ roles, onTimeout, expected }) => roles.includes('SENT') && onTimeout === 'NONE' && expected('SENT').length > 0);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const commands = Array.from({ length: RUNS }, () => courses[Math.floor(random() * courses.length)]!);
    await onceItAnswers(() => database.transaction({ tenantId }, async (tx) => {
      for (const scenario of commands) {
        await startRun(tx, new Date(), scenario, { runId: randomUUID(), role: 'SENT', amount: '812.40', pace: 'instant', onTimeout: null, situation: 'SCAM' });
      }
    }));
    // A service that starts polls at once: the second half of the kills meets it at that.
    service = await restart(service);
    await sleep(random() * 1500);
    if (kill % 2 === 0) process.kill(postmaster(service), 'SIGKILL');
    else service = await restart(service);
    await answers(service);
  }
  // As if a quarter of an hour had passed: some of it stands in lists alone.
  await onceItAnswers(() => database.transaction({ tenantId }, (tx) => tx.query(knex('dict_stream').update({ reconciled_at: null }))));
  service = await restart(service);

  await expect.poll(async () => missing(await historyNow(tenantId), await keys(tenantId)), { timeout: 60_000, interval: 500 }).toEqual([]);
  const [history, feed] = [await historyNow(tenantId), await keys(tenantId)];
  console.log(`${feed.length} events, ${KILLS} kills, seed ${SEED}`);
  expect(feed.filter(({ key }) => !history.some(({ dedupeKey }) => dedupeKey === key))).toEqual([]);
  expect(new Set(feed.map(({ key }) => key)).size).toBe(feed.length);
  expect(feed.map(({ seq }) => seq)).toEqual(feed.map((_, index) => (feed[0]?.seq ?? 0) + index));
  expect(feed.length).toBeGreaterThan(KILLS * RUNS);
}, 120_000 + KILLS * 30_000);

const missing = (history: readonly HistoryEvent[], feed: readonly { readonly key: string }[]) =>
  history.filter(({ dedupeKey, goneAt }) => goneAt === null && !feed.some(({ key }) => key === dedupeKey)).map(({ dedupeKey }) => dedupeKey);

async function historyNow(tenantId: string): Promise<HistoryEvent[]> {
  return historyOf(await onceItAnswers(() => database.transaction({ tenantId, readOnly: true }, (tx) => stateAt(tx, new Date()))));
}

/** What the directory has told; the demo has events of its own. */
async function keys(tenantId: string): Promise<{ seq: number; key: string }[]> {
  const rows = await database.transaction({ tenantId, readOnly: true }, (tx) =>
    tx.query<{ seq: number; key: string; source: string | null }>(knex('fr_event').select('seq', 'dedupe_key as key', knex.raw(`raw_payload #>> '{@meta,source}' AS source`)).where({ env: 'sandbox' }).orderBy('seq')));
  return rows.filter(({ source }) => source === 'DICT_SIMULATOR').map(({ seq, key }) => ({ seq, key }));
}

function demoTenant(): string {
  const { tenant } = JSON.parse(readFileSync(service.demo, 'utf8')) as { tenant: { id: string } };
  return tenant.id;
}

/** The lines of postmaster.pid: process id first, socket folder fifth (PostgreSQL documentation, "Database File Layout"). */
function postmasterFile({ dataDir }: LiveService): string[] {
  return readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
}

function postmaster(of: LiveService): number {
  return Number(postmasterFile(of)[0]);
}

function connect(of: LiveService): Database {
  const host = postmasterFile(of)[4] ?? '';
  const secrets = loadSecrets({ serviceSecret: null, dataDir: of.dataDir });
  return connectDatabase({ host, port: 5432, database: 'compliance', ssl: false }, secrets, { kind: 'embedded', poolSize: 2, log: silent, stop: async () => {} });
}

async function restart(running: LiveService): Promise<LiveService> {
  await database.close();
  const gone = new Promise((resolve) => running.process.once('exit', resolve));
  running.process.kill('SIGKILL');
  await gone;
  const started = await startLiveService('funds-recovery-crash', {}, running);
  database = connect(started);
  return started;
}

/** A database that was killed comes back by itself. */
async function onceItAnswers<T>(work: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + 30_000; ; await sleep(100)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || Date.now() > deadline) throw error;
    }
  }
}

async function answers({ baseUrl }: LiveService): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50)) {
    if ((await fetch(`${baseUrl}/readyz`).catch(() => null))?.ok) return;
  }
  throw new Error('the service did not come back within 30 seconds');
}
