/**
 * Crash test of workflows: instances compute expressions, call another process and send a message that begins a third
 * one, while the processes that advance them (workflow-program.ts) are killed.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Transaction } from '../../server/database/index.ts';
import { createActive, type Definition } from '../../server/modules/definitions/index.ts';
import { beginInstance } from '../../server/modules/workflows/begin.ts';
import { insertModel } from '../../server/modules/workflows/model-store.ts';
import { replaceStarts } from '../../server/modules/workflows/starts.ts';
import { timeIn } from '../../server/tasks/business-time-store.ts';
import { compile } from '../../server/workflow/bpmn/compile.ts';
import { read } from '../../server/workflow/bpmn/read.ts';
import { EMPTY } from '../../server/workflow/drawing/drawing.ts';
import { processFile } from '../operations/workflow-records.ts';
import { createTestDatabase, type TestDatabase, testSecret } from '../support/postgres.ts';
import { randomOf } from '../support/random.ts';

const SEED = 20261127;
const SOAK = process.env['SOAK'] === 'true';
const INSTANCES = SOAK ? 2_000 : 24;
const KILLS = SOAK ? 2_000 : 20;
const PROCESSES = 2;
const TURNS = 3;
const ACTOR = { type: 'system', id: 'test', display: 'Test' } as const;

const COUNTING = `<startEvent id="s"/><exclusiveGateway id="again"/>
  <task id="count"><extensionElements><zeebe:ioMapping><zeebe:output source="=turns + 1" target="turns"/>
    </zeebe:ioMapping></extensionElements></task>
  <exclusiveGateway id="enough" default="repeat"/>
  <parallelGateway id="split"/><callActivity id="call" calledElement="called"/>
  <intermediateThrowEvent id="tell"><messageEventDefinition messageRef="told"/></intermediateThrowEvent>
  <parallelGateway id="join"/><endEvent id="e"/>
  <sequenceFlow id="f1" sourceRef="s" targetRef="again"/><sequenceFlow id="f2" sourceRef="again" targetRef="count"/>
  <sequenceFlow id="f3" sourceRef="count" targetRef="enough"/>
  <sequenceFlow id="repeat" sourceRef="enough" targetRef="again"/>
  <sequenceFlow id="f4" sourceRef="enough" targetRef="split"><conditionExpression
    xsi:type="tFormalExpression">=turns &gt;= ${TURNS}</conditionExpression></sequenceFlow>
  <sequenceFlow id="f5" sourceRef="split" targetRef="call"/><sequenceFlow id="f6" sourceRef="split" targetRef="tell"/>
  <sequenceFlow id="f7" sourceRef="call" targetRef="join"/><sequenceFlow id="f8" sourceRef="tell" targetRef="join"/>
  <sequenceFlow id="f9" sourceRef="join" targetRef="e"/>`;
const CALLED = `<startEvent id="s"/><task id="t"/><endEvent id="e"/>
  <sequenceFlow id="f1" sourceRef="s" targetRef="t"/><sequenceFlow id="f2" sourceRef="t" targetRef="e"/>`;
const TOLD = `<startEvent id="s"><messageEventDefinition messageRef="told"/></startEvent><endEvent id="e"/>
  <sequenceFlow id="f1" sourceRef="s" targetRef="e"/>`;
const MESSAGE = '<message id="told" name="told"/>';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

/** Makes an active version of a process. */
async function activated(tx: Transaction, key: string, elements: string): Promise<Definition> {
  const file = processFile(key, elements, MESSAGE);
  const { root } = await read(file);
  const { program, findings } = compile(root!);
  if (findings.some(({ severity }) => severity === 'error')) throw new Error(JSON.stringify(findings));
  const now = new Date();
  const document = { name: null, fileSha256: '0'.repeat(64), jobTypes: [] };
  const definition = await createActive(tx, {
    environment: 'live',
    kind: 'workflow',
    key,
    document,
    createdBy: ACTOR,
    now,
  });
  const { id: definitionId, environment } = definition;
  insertModel(tx, { definitionId, environment, file, program, findings, drawing: EMPTY }, now);
  await replaceStarts(tx, definition, await timeIn(tx, environment, now));
  return definition;
}

const startProcess = (): ChildProcess =>
  fork(join(import.meta.dirname, 'workflow-program.ts'), [JSON.stringify(test.location), testSecret], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

async function kill(one: ChildProcess): Promise<void> {
  if (one.exitCode !== null || one.signalCode !== null) return;
  const gone = once(one, 'exit');
  one.kill('SIGKILL');
  await gone;
}

/** Returns how many instances of each process there are in each status. */
const counted = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await test.sql<{ name: string; n: number }>(
        `SELECT definition_key || ' ' || status AS name, count(*)::integer AS n FROM workflow_instance GROUP BY 1`,
      )
    ).map(({ name, n }) => [name, n]),
  );

it(
  `loses, repeats and leaves nothing of ${INSTANCES} instances although ${KILLS} processes are killed`,
  async () => {
    const random = randomOf(SEED);
    const tenantId = await test.tenant();
    await test.database.transaction({ tenantId }, async (tx) => {
      const counting = await activated(tx, 'counting', COUNTING);
      await activated(tx, 'called', CALLED);
      await activated(tx, 'told', TOLD);
      const now = new Date();
      const at = await timeIn(tx, 'live', now);
      const wanted = { applicationId: null, businessId: null, startedBy: ACTOR, variables: { turns: 0 } };
      for (let i = 0; i < INSTANCES; i++) await beginInstance(tx, counting, wanted, { at, now });
    });
    const processes = Array.from({ length: PROCESSES }, startProcess);
    const ended = { 'counting completed': INSTANCES, 'called completed': INSTANCES, 'told completed': INSTANCES };
    let kills = 0;
    const isDone = async (): Promise<boolean> => {
      const now = await counted();
      return Object.entries(ended).every(([name, n]) => (now[name] ?? 0) >= n);
    };
    while (kills < KILLS || !(await isDone())) {
      await sleep(200 + random() * 900);
      if (kills === KILLS) continue;
      await kill(processes.shift()!);
      kills += 1;
      processes.push(startProcess());
    }
    await Promise.all(processes.map(kill));
    const turns = await test.sql<{ turns: number; n: number }>(
      `SELECT (variables ->> 'turns')::integer AS turns, count(*)::integer AS n
        FROM workflow_instance WHERE definition_key = 'counting' GROUP BY 1`,
    );
    const passed = await test.sql<{ n: number }>(
      `SELECT count(*)::integer AS n FROM workflow_history WHERE element_id = 'count' AND event = 'completed'`,
    );
    expect(await counted()).toEqual(ended);
    expect([turns, passed]).toEqual([[{ turns: TURNS, n: INSTANCES }], [{ n: TURNS * INSTANCES }]]);
    for (const table of ['task', 'workflow_command', 'workflow_sent'])
      expect(await test.sql(`SELECT * FROM ${table}`), table).toEqual([]);
  },
  180_000 + KILLS * 3_000,
);
