/**
 * Crash test of verifications, whose processes (verification-program.ts) are killed, and the processes that read
 * pictures for those. Most verifications check lines that were sent; some read a drawn page.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { LINES, startVerificationWorld } from '../api/verifications-world.ts';
import { multipart } from '../support/api.ts';
import { printedPage } from '../support/printed-page.ts';
import { randomOf } from '../support/random.ts';

const SEED = 20261127;
const SOAK = process.env['SOAK'] === 'true';
/** Number of applications. Each gets the highest number of verifications. */
const APPLICATIONS = SOAK ? 40 : 4;
const ATTEMPTS = 5;
const PROCESSES = 2;
const MODELS = join(import.meta.dirname, '../../build/verification');
/** A page that is easy to read. */
const CLEAR = {
  pitch: 14,
  degrees: 1,
  noise: 4,
  blur: 1,
};

const world = await startVerificationWorld({ VERIFICATION: 'on' });
const key = await world.acme.key(['read', 'write']);
const { service } = world;

async function startProcess(): Promise<ChildProcess> {
  const child = fork(
    join(import.meta.dirname, 'verification-program.ts'),
    [JSON.stringify(service.database.location), join(service.running.services.config.dataDir, 'files'), MODELS],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );
  await once(child, 'message');
  return child;
}

async function kill(one: ChildProcess): Promise<void> {
  if (one.exitCode !== null || one.signalCode !== null) return;
  const gone = once(one, 'exit');
  one.kill('SIGKILL');
  await gone;
}

/** Uploads a drawn passport. */
async function page(applicationId: string, seed: number): Promise<string> {
  const file = new Blob([new Uint8Array(printedPage(seed, CLEAR).bytes)]);
  const { body, status, text } = await world.request<{ id: string }>(
    'POST',
    `/v1/applications/${applicationId}/documents`,
    { as: key, body: multipart({ type: 'passport', side: 'single', file }) },
  );
  if (status !== 201) throw new Error(text);
  return body.id;
}

/** Starts all verifications of one application. The first one reads a picture. */
async function startAll(seed: number): Promise<{ id: string; applicationId: string }[]> {
  const applicationId = await world.apply(key);
  const passport = await page(applicationId, seed);
  const started: { id: string; applicationId: string }[] = [];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const inputs = attempt === 1 ? { documentIds: [passport] } : { mrzLines: LINES };
    const { body, status, text } = await world.start(key, { applicationId, type: 'document_ocr', inputs });
    if (status !== 202) throw new Error(text);
    started.push({ id: body.id, applicationId });
  }
  return started;
}

const countOpen = async (): Promise<number> =>
  (
    await service.database.sql<{ n: number }>(
      "SELECT count(*)::integer AS n FROM verification WHERE status IN ('queued', 'processing')",
    )
  )[0]!.n;

it(
  `ends each of ${APPLICATIONS * ATTEMPTS} verifications once although processes are killed, at no cost of an attempt`,
  async () => {
    const random = randomOf(SEED);
    const started: Awaited<ReturnType<typeof startAll>> = [];
    for (let seed = 1; seed <= APPLICATIONS; seed++) started.push(...(await startAll(seed)));
    const processes = await Promise.all(Array.from({ length: PROCESSES }, startProcess));
    const most = started.length / 4;
    let kills = 0;
    while ((await countOpen()) > 0) {
      await sleep(100 + random() * 400);
      if (kills >= most) continue;
      kills += 1;
      if (kills % 3 === 0) processes[0]!.send('kill the readers');
      else {
        await kill(processes.shift()!);
        processes.push(await startProcess());
      }
    }
    await Promise.all(processes.map(kill));
    if (SOAK) console.log(`${kills} kills`);
    expect(kills).toBeGreaterThan(2);

    const ended = await Promise.all(started.map(async ({ id }) => (await world.read(key, id)).body));
    expect(ended.filter(({ status }) => !['inconclusive', 'failed', 'error'].includes(status))).toEqual([]);
    // A reader that was killed, or was too slow beside other work, is an error of the provider, and no finding.
    const errors = ended.flatMap(({ error }) => (error === null ? [] : [error.code]));
    expect(errors.filter((code) => !['provider_unavailable', 'provider_timeout'].includes(code))).toEqual([]);
    const finished = await service.database.sql<{ id: string; n: number }>(
      `SELECT resource_id AS id, count(*)::integer AS n FROM audit_event
       WHERE action = 'verification.finished' GROUP BY 1`,
    );
    expect(finished.map(({ id, n }) => [id, n]).sort()).toEqual(started.map(({ id }) => [id, 1]).sort());
    const tasks = await service.database.sql("SELECT FROM task WHERE kind = 'verifications.run'");
    expect(tasks).toEqual([]);

    for (const applicationId of new Set(started.map((one) => one.applicationId))) {
      const answers = ended.filter((one) => one.applicationId === applicationId && one.status !== 'error').length;
      const { status, body } = await world.start(key, {
        applicationId,
        type: 'document_ocr',
        inputs: { mrzLines: LINES },
      });
      expect(answers < ATTEMPTS ? [status, body.attempt] : [status, body.code]).toEqual(
        answers < ATTEMPTS ? [202, answers + 1] : [409, 'attempt_limit'],
      );
    }
  },
  120_000 + APPLICATIONS * 60_000,
);
