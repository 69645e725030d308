/**
 * Crash test of workflows: instances wait for external work, evaluate expressions, call another process and send a
 * message that begins a third one, while the processes that advance them (workflow-program.ts), the workers of the
 * tenant (workflow-worker.ts) and, in the soak, PostgreSQL are killed in the middle of it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unique } from '../operations/call.ts';
import { confirmed, newDraft } from '../operations/workflow-records.ts';
import { LONGEST_START } from '../../scripts/test/limits.ts';
import { startTestPostgres } from '../support/global-setup.ts';
import { testSecret } from '../support/postgres.ts';
import { randomOf } from '../support/random.ts';
import { type Credential, startTestService, type TestService } from '../support/service.ts';

const SEED = Number(process.env['SEED'] ?? 20261127);
const SOAK = process.env['SOAK'] === 'true';
const KILLS = Number(process.env['KILLS'] ?? (SOAK ? 2_000 : 20));
/** Instances that begin before each kill, so that the kill finds some under way. */
const BEFORE_EACH = SOAK ? 1 : 3;
/** Of so many kills one stops PostgreSQL: fifty in the soak. */
const STOPS_OF_DATABASE = 40;
/** Of so many kills one hits a process that advances instances, which is slow to load; the others hit a worker. */
const KILLS_OF_PROGRAMS = SOAK ? 2 : 5;
const TURNS = 2;
/** Most entries of the history that are awaited before a kill; three instances write more. */
const STEPS = 15;

const flow = (id: string, from: string, to: string): string =>
  `<sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}"/>`;
const TYPE = 'external.score';
const [CALLED, TOLD] = [`called_${unique()}`, `told_${unique()}`];
const MESSAGE = `<message id="told" name="${TOLD}"/>`;

/** A process that has work done and counts it by an expression, several times, and then calls and sends. */
const COUNTING = `<startEvent id="s"/><exclusiveGateway id="again"/>
  <serviceTask id="score"><extensionElements><zeebe:taskDefinition type="${TYPE}"/></extensionElements></serviceTask>
  <task id="count"><extensionElements><zeebe:ioMapping><zeebe:output source="=turns + 1" target="turns"/>
    </zeebe:ioMapping></extensionElements></task>
  <exclusiveGateway id="enough" default="repeat"/>
  <parallelGateway id="split"/><callActivity id="call" calledElement="${CALLED}"/>
  <intermediateThrowEvent id="tell"><messageEventDefinition messageRef="told"/></intermediateThrowEvent>
  <parallelGateway id="join"/><endEvent id="e"/>
  ${flow('f1', 's', 'again')}${flow('f2', 'again', 'score')}${flow('f3', 'score', 'count')}
  ${flow('f4', 'count', 'enough')}${flow('repeat', 'enough', 'again')}
  <sequenceFlow id="f5" sourceRef="enough" targetRef="split"><conditionExpression
    xsi:type="tFormalExpression">=turns &gt;= ${TURNS}</conditionExpression></sequenceFlow>
  ${flow('f6', 'split', 'call')}${flow('f7', 'split', 'tell')}${flow('f8', 'call', 'join')}
  ${flow('f9', 'tell', 'join')}${flow('f10', 'join', 'e')}`;
const CALLED_ONE = `<startEvent id="s"/><task id="t"/><endEvent id="e"/>${flow('f1', 's', 't')}${flow('f2', 't', 'e')}`;
const TOLD_ONE = `<startEvent id="s"><messageEventDefinition messageRef="told"/></startEvent><endEvent id="e"/>
  ${flow('f1', 's', 'e')}`;

let server: Awaited<ReturnType<typeof startTestPostgres>> | undefined;
let service: TestService;
let credential: Credential;
let counting: string;
const folder = mkdtempSync(join(tmpdir(), 'workflow-crash-'));
/** What the outside has seen of the workers. */
const outside = join(folder, 'outside');

beforeAll(async () => {
  writeFileSync(outside, '');
  // A server of its own, because its stops would break the tests beside this one.
  if (SOAK) server = await startTestPostgres(true);
  service = await startTestService({ sabotaged: true, ...(server && { server }) });
  credential = await service.acme.key(['read', 'write']);
  counting = `counting_${unique()}`;
  for (const [key, elements, roots] of [
    [counting, COUNTING, MESSAGE],
    [CALLED, CALLED_ONE, ''],
    [TOLD, TOLD_ONE, MESSAGE],
  ] as const)
    await confirmed(service, service.acme, await newDraft(service, service.acme, { key, elements, roots }));
}, LONGEST_START);
afterAll(async () => {
  await service.stop();
  await server?.stop();
  rmSync(folder, { recursive: true });
});

const PROGRAMS = {
  program: () => ['workflow-program.ts', JSON.stringify(service.database.location), testSecret],
  worker: () => ['workflow-worker.ts', service.url, JSON.stringify(credential), TYPE, outside],
} as const;

const startProcess = (name: keyof typeof PROGRAMS): ChildProcess => {
  const [file, ...values] = PROGRAMS[name]() as [string, ...string[]];
  return fork(join(import.meta.dirname, file), values, {
    // What they write about a database that is gone says nothing.
    stdio: ['ignore', 'ignore', SOAK ? 'ignore' : 'inherit', 'ipc'],
  });
};

async function kill(one: ChildProcess): Promise<void> {
  if (one.exitCode !== null || one.signalCode !== null) return;
  const gone = once(one, 'exit');
  one.kill('SIGKILL');
  await gone;
}

/** Asks the database, which may just be starting again. */
async function rows<Row extends object>(text: string): Promise<Row[]> {
  for (let left = 1_000; ; left--) {
    try {
      return await service.database.sql<Row & Record<string, unknown>>(text);
    } catch (error) {
      if (!SOAK || left === 0) throw error;
      await sleep(50);
    }
  }
}

const countOf = async (from: string): Promise<number> =>
  (await rows<{ n: number }>(`SELECT count(*)::integer AS n FROM ${from}`))[0]!.n;

const steps = (): Promise<number> => countOf('workflow_history');
const effects = async (): Promise<number> => readFileSync(outside, 'utf8').split('\n').length - 1;

/** Waits until so much more has happened. */
async function progress(measure: () => Promise<number>, by: number): Promise<void> {
  const enough = (await measure()) + by;
  while ((await measure()) < enough) await sleep(5);
}

/** Begins an instance. A repeat after a lost answer begins no second one. */
async function begin(businessKey: string): Promise<void> {
  const call = {
    as: credential,
    headers: { 'Idempotency-Key': businessKey },
    body: { definitionKey: counting, businessKey, variables: { turns: 0 } },
  };
  for (let left = 1_000; ; left--) {
    const { status, text } = await service.request('POST', '/v1/workflows/instances', call);
    if (status === 201) return;
    if (!SOAK || left === 0 || status < 500) throw new Error(text);
    await sleep(50);
  }
}

/** Stops PostgreSQL at once, without an orderly end; it is started again by itself. */
async function stopDatabase(): Promise<void> {
  const [{ folder: data }] = (await rows<{ folder: string }>(`SELECT current_setting('data_directory') AS folder`)) as [
    { folder: string },
  ];
  process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT');
}

/** Returns how many instances of each process there are in each status. */
const counted = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await rows<{ name: string; n: number }>(
        `SELECT definition_key || ' ' || status AS name, count(*)::integer AS n FROM workflow_instance GROUP BY 1`,
      )
    ).map(({ name, n }) => [name, n]),
  );

it(
  `loses, repeats and leaves nothing of its instances although ${KILLS} processes are killed (seed ${SEED})`,
  async () => {
    const random = randomOf(SEED);
    const programs = [startProcess('program'), startProcess('program')];
    const workers = [startProcess('worker')];
    const kills = { program: 0, worker: 0, database: 0 };
    const again = async (processes: ChildProcess[], name: keyof typeof PROGRAMS): Promise<void> => {
      await kill(processes.shift()!);
      processes.push(startProcess(name));
      kills[name] += 1;
    };
    const begun = KILLS * BEFORE_EACH;
    const ended = { [`${counting} completed`]: begun, [`${CALLED} completed`]: begun, [`${TOLD} completed`]: begun };
    try {
      for (let one = 1; one <= KILLS; one++) {
        for (let i = 0; i < BEFORE_EACH; i++) await begin(`${one}-${i}`);
        if (SOAK && one % STOPS_OF_DATABASE === 0) {
          await progress(steps, 1 + Math.floor(random() * STEPS));
          await stopDatabase();
          kills.database += 1;
        } else if (one % KILLS_OF_PROGRAMS === 0) {
          await progress(steps, 1 + Math.floor(random() * STEPS));
          await again(programs, 'program');
        } else {
          await progress(effects, 1);
          await again(workers, 'worker');
        }
        if (one % 100 === 0) console.log(`${one} kills, ${JSON.stringify(await counted())}`);
      }
      await expect.poll(counted, { timeout: 60_000 + KILLS * 500, interval: 200 }).toEqual(ended);
      await expect.poll(() => countOf('task'), { timeout: 60_000 }).toBe(0);
    } finally {
      await Promise.all([...programs, ...workers].map(kill));
    }
    const keys = readFileSync(outside, 'utf8').trim().split('\n');
    console.log(`${JSON.stringify(kills)}: ${keys.length} effects outside for ${TURNS * begun} pieces of work`);

    expect(await counted()).toEqual(ended);
    const own = `FROM workflow_instance WHERE definition_key = '${counting}'`;
    expect(await rows(`SELECT variables ->> 'turns' AS turns, count(*)::integer AS n ${own} GROUP BY 1`)).toEqual([
      { turns: String(TURNS), n: begun },
    ]);
    // Every element is passed as often as the process says, whatever was repeated.
    const passed = await rows<{ element: string; n: number }>(
      `SELECT element_id AS element, count(*)::integer AS n FROM workflow_history
        WHERE event = 'completed' AND instance_id IN (SELECT id ${own}) GROUP BY 1`,
    );
    const expected = {
      score: TURNS,
      count: TURNS,
      call: 1,
      tell: 1,
      e: 1,
    };
    for (const [element, times] of Object.entries(expected))
      expect([element, passed.find((each) => each.element === element)?.n]).toEqual([element, times * begun]);
    // Everybody outside who knows the keys has done each piece of work once.
    const pieces = await rows<{ key: string }>(
      `SELECT instance_id || ':' || execution AS key FROM workflow_job WHERE status = 'completed' ORDER BY 1`,
    );
    expect([...new Set(keys)].sort()).toEqual(pieces.map(({ key }) => key).sort());
    expect(pieces).toHaveLength(TURNS * begun);
    for (const table of ['task', 'workflow_command', 'workflow_sent', 'workflow_incident'])
      expect([table, await countOf(table)]).toEqual([table, 0]);
  },
  180_000 + KILLS * 30_000,
);
