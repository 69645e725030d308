/**
 * What the steps of a process cost in the database, beside one bare statement that writes the same, and how many bytes
 * a finished onboarding keeps. Used by workflows.ts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RealTime } from '../../server/base/time.ts';
import { uuidv7 } from '../../server/base/uuid.ts';
import { sql, statement, type Transaction } from '../../server/database/index.ts';
import { createActive, type Definition } from '../../server/modules/definitions/index.ts';
import { advance } from '../../server/modules/workflows/advance.ts';
import { beginInstance } from '../../server/modules/workflows/begin.ts';
import { findInstance, type Instance, lockInstance } from '../../server/modules/workflows/instance-store.ts';
import type { When } from '../../server/modules/workflows/follow.ts';
import { insertModel } from '../../server/modules/workflows/model-store.ts';
import { stepTask } from '../../server/modules/workflows/step-task.ts';
import { hasCommands } from '../../server/modules/workflows/waiting-store.ts';
import { timeIn } from '../../server/tasks/business-time-store.ts';
import { compile } from '../../server/workflow/bpmn/compile.ts';
import { read } from '../../server/workflow/bpmn/read.ts';
import { EMPTY } from '../../server/workflow/drawing/drawing.ts';
import type { Execution, Variables } from '../../server/workflow/kernel/state.ts';
import { flow, processXml } from '../../server/workflow/testing/driver.ts';
import type { TestDatabase } from '../../test/support/postgres.ts';
import { alternate, amount, ratio, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import { ROOT } from './validation.ts';

const ACTOR = { type: 'system', id: 'bench', display: 'Bench' } as const;
/** Tasks of the process whose steps are measured, one after the other. */
const TASKS = 200;
const STEPS_PER_TURN = 40;
/** The tables in which a finished instance remains. */
const TABLES = ['workflow_instance', 'workflow_task', 'workflow_history', 'workflow_job'];

/** What the work of the standard process finds out about somebody whom a person must look at. */
const FOUND: Variables = { screening: { result: 'possible_match', hitCount: 1 }, risk: { level: 'medium', score: 42 } };

type OfDefinition = Pick<Definition, 'id' | 'key' | 'number' | 'environment'>;

/** Stores an active version of a process. */
export async function stored(tx: Transaction, key: string, file: Buffer, now: RealTime): Promise<OfDefinition> {
  const { root, findings } = await read(file);
  if (root === null) throw new Error(JSON.stringify(findings));
  const { program } = compile(root);
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
  insertModel(
    tx,
    {
      definitionId,
      environment,
      file,
      program,
      findings: [],
      drawing: EMPTY,
    },
    now,
  );
  return definition;
}

/** Works in a transaction of the tenant, with the times of a request. */
type Run = <T>(work: (tx: Transaction, when: When) => Promise<T>) => Promise<T>;

export const runnerOf =
  ({ database }: TestDatabase, tenantId: string): Run =>
  (work) =>
    database.transaction({ tenantId }, async (tx) => {
      const now = new Date() as RealTime;
      return work(tx, { now, at: await timeIn(tx, 'live', now) });
    });

export const begin = (run: Run, definition: OfDefinition, variables: Variables = {}): Promise<Instance> =>
  run((tx, when) =>
    beginInstance(
      tx,
      definition,
      {
        applicationId: null,
        businessId: null,
        startedBy: ACTOR,
        variables,
      },
      when,
    ),
  );

interface Written extends Record<string, string | number> {
  readonly tenantId: string;
  readonly instanceId: string;
  readonly state: string;
  readonly execution: number;
  readonly number: number;
  readonly taskId: string;
  readonly one: string;
  readonly other: string;
}

/** What a step from one task of a person to the next writes at least, as one statement. */
const bareStep = statement<Written>(
  'bench.workflowStep',
  (p) => sql`
  WITH locked AS (
    SELECT id FROM workflow_instance WHERE tenant_id = ${p.tenantId} AND id = ${p.instanceId} FOR UPDATE
  ), stepped AS (
    UPDATE workflow_instance SET state = ${p.state}::text::jsonb, version = version + 1, updated_at = now()
    WHERE tenant_id = ${p.tenantId} AND id = ${p.instanceId} AND id IN (SELECT id FROM locked)
  ), done AS (
    UPDATE workflow_task SET status = 'cancelled', version = version + 1, updated_at = now()
    WHERE tenant_id = ${p.tenantId} AND instance_id = ${p.instanceId} AND execution = ${p.execution}::integer
  ), next AS (
    INSERT INTO workflow_task (tenant_id, id, environment, instance_id, execution, definition_key, element_id, status,
      candidate_roles, created_at, updated_at)
    VALUES (${p.tenantId}, ${p.taskId}::uuid, 'live', ${p.instanceId}, ${p.execution}::integer + 1, 'bare', 'task',
      'created', '{}', now(), now())
  )
  INSERT INTO workflow_history (tenant_id, instance_id, number, id, environment, event, element_id, execution,
    happened_at)
  VALUES (${p.tenantId}, ${p.instanceId}, ${p.number}::integer, ${p.one}::uuid, 'live', 'completed', 'task',
    ${p.execution}::integer, now()),
    (${p.tenantId}, ${p.instanceId}, ${p.number}::integer + 1, ${p.other}::uuid, 'live', 'entered', 'task',
    ${p.execution}::integer + 1, now())`,
);

const executionOf = ({ state }: Instance): Execution => state!.executions.find(({ waits }) => waits === 'task')!;

/** Returns contenders that do a turn of steps, each in a transaction of its own, and return the milliseconds of one. */
function steppers(run: Run, chain: OfDefinition, tenantId: string) {
  let ours: Instance | null = null;
  let bare: {
    instanceId: string;
    state: string;
    execution: number;
    number: number;
  } | null = null;
  let left = { ours: 0, bare: 0 };
  const timed = async (step: () => Promise<unknown>): Promise<number> => {
    const begun = performance.now();
    for (let done = 0; done < STEPS_PER_TURN; done++) await step();
    return (performance.now() - begun) / STEPS_PER_TURN;
  };
  return {
    ours: async () => {
      if (left.ours < STEPS_PER_TURN) {
        ours = await begin(run, chain);
        left = { ...left, ours: TASKS - 1 };
      }
      left.ours -= STEPS_PER_TURN;
      return timed(async () => {
        ours = await run(async (tx, when) => {
          const locked = (await lockInstance(tx, ours!.id))!;
          const { id: execution } = executionOf(locked);
          return advance(tx, locked, { do: 'complete', execution, variables: {} }, when);
        });
      });
    },
    bare: async () => {
      if (left.bare < STEPS_PER_TURN) {
        const { id: instanceId, state } = await begin(run, chain);
        bare = {
          instanceId,
          state: JSON.stringify(state),
          execution: 2,
          number: 1000,
        };
        left = { ...left, bare: TASKS - 1 };
      }
      left.bare -= STEPS_PER_TURN;
      return timed(async () => {
        const { execution, number } = bare!;
        const ids = { taskId: uuidv7(), one: uuidv7(), other: uuidv7() };
        await run((tx) => tx.run(bareStep, { tenantId, ...bare!, ...ids }));
        bare = { ...bare!, execution: execution + 1, number: number + 2 };
      });
    },
  };
}

/** Lets the child process compute the steps with expressions that wait for an instance. */
async function computeWaiting(run: Run, instanceId: string): Promise<Instance> {
  for (;;) {
    const input = await run(async (tx, { now }) =>
      (await hasCommands(tx, instanceId)) ? stepTask.claim({ tx, subjectId: instanceId, now }, undefined) : null,
    );
    if (input === null) return run(async (tx) => (await findInstance(tx, instanceId))!);
    const signal = new AbortController().signal;
    const output = await stepTask.work(input, { signal, services: undefined });
    await run((tx, { now }) => stepTask.finish({ tx, subjectId: instanceId, now }, output, undefined));
  }
}

/** Carries an instance of the standard process from its start to its end, and returns the largest state on the way. */
async function finished(run: Run, definition: OfDefinition): Promise<number> {
  let instance = await begin(run, definition);
  let largest = 0;
  while (instance.status === 'active') {
    const waiting = instance.state!.executions.find(({ waits }) => waits === 'task' || waits === 'job');
    largest = Math.max(largest, JSON.stringify(instance.state).length);
    const decides = instance.state!.subscriptions.find(({ node }) => node === 'decides')!;
    await run(async (tx, when) => {
      const locked = (await lockInstance(tx, instance.id))!;
      // Where nothing is to be done, a person has decided about the application.
      if (waiting === undefined)
        return advance(tx, locked, { do: 'fire', subscription: decides.id, variables: {} }, when);
      return advance(tx, locked, { do: 'complete', execution: waiting.id, variables: FOUND }, when);
    });
    instance = await computeWaiting(run, instance.id);
  }
  return largest;
}

export async function measureSteps({ createDatabase, extent, say }: Laboratory): Promise<Section> {
  await using opened = new AsyncDisposableStack();
  const database = opened.adopt(await createDatabase(2), (one) => one.close());
  const tenantId = await database.tenant();
  const run = runnerOf(database, tenantId);
  const tasks = Array.from({ length: TASKS }, (_, index) => `t${index}`);
  const ids = ['s', ...tasks, 'e'];
  const elements = tasks.map((id) => `<userTask id="${id}"/>`);
  const between = tasks.concat('e').map((id, index) => flow(`f${index}`, ids[index]!, id));
  const ends = '<startEvent id="s"/><endEvent id="e"/>';
  const file = Buffer.from(processXml([ends, ...elements, ...between].join('')));
  const chain = await run((tx, { now }) => stored(tx, 'P', file, now));
  const contenders = steppers(run, chain, tenantId);
  await alternate(2, contenders, () => say('steps of a process: warming up …'));
  const rounds = extent.rounds * 3;
  const turns = await alternate(rounds, contenders, (round) => say(`steps of a process, round ${round} …`));

  say('a standard onboarding from its start to its end …');
  const standard = readFileSync(join(ROOT, 'docs/examples/workflows/individual.bpmn'));
  const onboarding = await run((tx, { now }) => stored(tx, 'std.individual', standard, now));
  const bytes = async (): Promise<number> => {
    const sizes = TABLES.map((table) => `(SELECT coalesce(sum(pg_column_size(t)), 0) FROM ${table} t)`);
    const [row] = await database.sql<{ bytes: string }>(`SELECT ${sizes.join(' + ')} AS bytes`);
    return Number(row!.bytes);
  };
  const before = await bytes();
  const count = extent.rounds;
  let state = 0;
  for (let one = 0; one < count; one++) state = Math.max(state, await finished(run, onboarding));
  const kept = ((await bytes()) - before) / count;
  const milliseconds = (times: readonly number[]) => amount(times.toSorted((a, b) => a - b)[times.length >> 1]!, 'ms');
  return {
    title:
      'Workflows: a step from one task to the next, in a transaction of its own, and what remains of an onboarding',
    raw: { turns, kept, state },
    rows: [
      ['step', milliseconds(turns.ours)],
      ['one bare statement that writes the same', milliseconds(turns.bare)],
      ['step / bare statement', ratio(turns.ours, turns.bare, (one) => one), '≤ 1.5'],
      ['largest state of a standard onboarding', amount(state, 'bytes'), '≤ 1024 bytes'],
      ['rows of a finished standard onboarding', amount(kept, 'bytes'), '≤ 4096 bytes'],
    ],
  };
}
