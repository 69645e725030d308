/**
 * How late timers fire among a hundred thousand that wait, and how soon the list of tasks shows what a step has made.
 * Used by workflows.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MILLISECONDS } from '../../server/base/time.ts';
import type { TestDatabase } from '../../test/support/postgres.ts';
import { flow, processXml } from '../../server/workflow/testing/driver.ts';
import { amount, median, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import { begin, runnerOf, stored } from './workflow-steps.ts';

/** Timers that wait, and how many of them become due in each second of the measurement. */
const PENDING = 100_000;
const DUE_PER_SECOND = 20;
/**
 * Time before the first timer is due, in which all jobs of the service run for the first time; and the longest wait.
 */
const LEAD_MILLISECONDS = 10_000;
const LONGEST_WAIT_MILLISECONDS = 60_000;
const POLL_MILLISECONDS = 20;
const YEAR_MILLISECONDS = 365.25 * DAY_MILLISECONDS;
const STEPS = 100;

const TIMED = processXml(
  `<startEvent id="s"/><userTask id="a"/><endEvent id="e"/><endEvent id="late"/>
    <boundaryEvent id="t" attachedToRef="a"><timerEventDefinition><timeDuration>P10Y</timeDuration>
    </timerEventDefinition></boundaryEvent>${flow('f1', 's', 'a')}${flow('f2', 'a', 'e')}${flow('f3', 't', 'late')}`,
);

export async function measureTimers({ createDatabase, startService, tenantIn, extent, say }: Laboratory) {
  await using opened = new AsyncDisposableStack();
  const database = opened.adopt(await createDatabase(2), (one) => one.close());
  const tenant = await tenantIn(database);
  const run = runnerOf(database, tenant.id);
  say(`storing ${PENDING} timers …`);
  const definition = await run((tx, { now }) => stored(tx, 'P', Buffer.from(TIMED), now));
  const { id } = await begin(run, definition);
  const farthest = await copied(database, id);
  const service = opened.use(await startService({ RATE_LIMIT_REQUESTS: '1000000' }, undefined, database));

  const due = await makeDue(database, DUE_PER_SECOND * extent.secondsPerTurn * extent.rounds);
  say(`${due.size} of them become due …`);
  const lateness = (await latenessOf(database, due)).toSorted((one, other) => one - other);
  say('tasks after their steps …');
  const reads = await readAfterSteps({ url: service.url, as: await tenant.user('compliance_officer') }, run);
  const missed = reads.filter(({ isShown }) => !isShown).length;
  const seen = reads.map(({ milliseconds }) => milliseconds).toSorted((one, other) => one - other);
  const late = (of: readonly number[], share: number): number => of[Math.floor((of.length - 1) * share)]!;
  return {
    title: `Workflows: ${due.size} of ${PENDING} timers become due, and tasks are listed after ${STEPS} steps`,
    raw: { lateness, reads },
    rows: [
      ['a timer fires late: median', amount(median(lateness), 'ms')],
      ['a timer fires late: 99 of 100', amount(late(lateness, 0.99), 'ms'), '≤ 1000 ms'],
      ['the farthest timer is ahead', amount(farthest, 'years'), '≥ 9.99 years'],
      ['tasks that the first read after their step does not show', amount(missed, '', String(missed)), '≤ 0'],
      ['from the end of the step to the shown task: median', amount(median(seen), 'ms')],
      ['from the end of the step to the shown task: 99 of 100', amount(late(seen, 0.99), 'ms'), '≤ 50 ms'],
    ],
  } satisfies Section;
}

/**
 * Copies an instance with its timer, spreads the timers over ten years, and returns how many years the last is ahead.
 */
async function copied(database: TestDatabase, id: string): Promise<number> {
  const columns = `environment, definition_id, definition_key, definition_number, depth, status, incident_count, state,
    variables, started_by, started_at, updated_at`;
  await database.sql(
    `INSERT INTO workflow_instance (tenant_id, id, ${columns})
      SELECT tenant_id, gen_random_uuid(), ${columns} FROM workflow_instance, generate_series(2, $2) WHERE id = $1`,
    [id, PENDING],
  );
  await database.sql(
    `INSERT INTO workflow_timer (tenant_id, instance_id, subscription, environment, due_at)
      SELECT i.tenant_id, i.id, t.subscription, i.environment, now() + random() * (t.due_at - now()) + interval '1 day'
      FROM workflow_timer t, workflow_instance i WHERE t.instance_id = $1 AND i.id <> $1`,
    [id],
  );
  await database.sql('ANALYZE workflow_timer, workflow_instance');
  const [row] = await database.sql<{ dueAt: Date }>(
    'SELECT due_at AS "dueAt" FROM workflow_timer WHERE instance_id = $1',
    [id],
  );
  return (new Date(row!.dueAt).getTime() - Date.now()) / YEAR_MILLISECONDS;
}

/** Makes some timers due soon, one after the other, and returns when each is. */
async function makeDue(database: TestDatabase, count: number): Promise<Map<string, number>> {
  const first = Date.now() + LEAD_MILLISECONDS;
  const rows = await database.sql<{ id: string; dueAt: Date }>(
    `UPDATE workflow_timer t SET due_at = $2::timestamptz + chosen.position * make_interval(secs => 1.0 / $3::integer)
      FROM (SELECT instance_id, row_number() OVER () AS position FROM workflow_timer LIMIT $1) chosen
      WHERE t.instance_id = chosen.instance_id RETURNING t.instance_id AS id, t.due_at AS "dueAt"`,
    [count, new Date(first), DUE_PER_SECOND],
  );
  return new Map(rows.map(({ id, dueAt }) => [id, new Date(dueAt).getTime()]));
}

/** Waits until the timers have fired, and returns how many milliseconds after its time each is seen to be gone. */
async function latenessOf(database: TestDatabase, due: ReadonlyMap<string, number>): Promise<number[]> {
  const left = new Map(due);
  const lateness: number[] = [];
  const end = Math.max(...due.values()) + LONGEST_WAIT_MILLISECONDS;
  while (left.size > 0) {
    if (Date.now() > end) throw new Error(`${left.size} timers have not fired`);
    const rows = await database.sql<{ id: string }>(
      'SELECT instance_id AS id FROM workflow_timer WHERE instance_id = ANY ($1)',
      [[...left.keys()]],
    );
    const [waiting, now] = [new Set(rows.map(({ id }) => id)), Date.now()];
    for (const [id, at] of left) {
      if (waiting.has(id)) continue;
      left.delete(id);
      lateness.push(now - at);
    }
    await sleep(POLL_MILLISECONDS);
  }
  return lateness;
}

interface Reader {
  readonly url: string;
  readonly as: Readonly<Record<string, string>>;
}

/** Completes one task after the other, and reads the list of tasks after each step. */
async function readAfterSteps({ url, as }: Reader, run: ReturnType<typeof runnerOf>) {
  const ids = ['s', ...Array.from({ length: STEPS + 1 }, (_, index) => `t${index}`), 'e'];
  const tasks = ids.slice(1, -1).map((id) => `<userTask id="${id}"/>`);
  const flows = ids.slice(1).map((id, index) => flow(`f${index}`, ids[index]!, id));
  const file = processXml(['<startEvent id="s"/><endEvent id="e"/>', ...tasks, ...flows].join(''));
  const chain = await run((tx, { now }) => stored(tx, 'chain', Buffer.from(file), now));
  const { id: instanceId } = await begin(run, { ...chain, key: 'P' });
  const open = async (): Promise<string | undefined> => {
    const answer = await fetch(`${url}/v1/workflows/tasks?instanceId=${instanceId}&status=created`, { headers: as });
    const { items } = (await answer.json()) as { readonly items: readonly { readonly id: string }[] };
    return items[0]?.id;
  };
  const reads: { isShown: boolean; milliseconds: number }[] = [];
  let task = await open();
  while (task !== undefined && reads.length < STEPS) {
    const { status } = await fetch(`${url}/v1/workflows/tasks/${task}/complete`, {
      method: 'POST',
      headers: { ...as, 'content-type': 'application/json' },
      body: '{}',
    });
    if (status !== 200) throw new Error(`A task was not completed: ${status}`);
    const begun = performance.now();
    const next = await open();
    reads.push({ isShown: next !== undefined && next !== task, milliseconds: performance.now() - begun });
    task = next;
  }
  return reads;
}
