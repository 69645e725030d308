/** Operations of workers: taking work of processes, waiting for it, and reporting what became of it. */
import { FairQueue } from '../../base/fair-queue.ts';
import { addMilliseconds, SECOND_MILLISECONDS } from '../../base/time.ts';
import { Problem } from '../../contract/problem.ts';
import { type Context, type Handlers, NotReady, withFairQueue } from '../../request/handler.ts';
import type { Command } from '../../workflow/kernel/step.ts';
import { advance } from './advance.ts';
import { isBinding } from './binding-types.ts';
import { assertActive } from './instance-change-handlers.ts';
import { findInstance, lockInstance } from './instance-store.ts';
import { changeJob, findJob, type Job, takeJobs } from './job-store.ts';
import { lookup } from './lookup.ts';
import { presentActivatedJob, presentJob } from './present.ts';
import { assertRoom } from './room.ts';
import type { WorkArrivals } from './work-arrivals.ts';

const about = ({ id }: Pick<Job, 'id'>) => ({ type: 'workflow_job', id }) as const;

/** Pause after the first failure, if the worker names none; each further one is four times as long. */
const FIRST_PAUSE_MILLISECONDS = 10_000;
const LONGEST_PAUSE_MILLISECONDS = 6 * 3_600_000;

/**
 * Two requests of a tenant take work at once, and the third place is left to other tenants: new work wakes all requests
 * that wait for it.
 */
const takings = new FairQueue(3);

/** Until when a request waits, by its body, which stays the same object while the handler is called again. */
const deadlines = new WeakMap<object, number>();

function deadlineOf(body: object, seconds: number): number {
  const known = deadlines.get(body) ?? performance.now() + seconds * SECOND_MILLISECONDS;
  deadlines.set(body, known);
  return known;
}

/** Takes work. If there is none, the transaction is rolled back, and the handler is called again when some arrives. */
async function take(ctx: Context<'activateWorkflowJobs'>, arrivals: WorkArrivals): Promise<Job[]> {
  const { tx, principal, environment, body, now, signal } = ctx;
  const { types, worker, maximum = 10, lockSeconds = 300, waitSeconds = 0 } = body;
  const left = deadlineOf(body, waitSeconds) - performance.now();
  const arrival = arrivals.expect(principal.tenantId);
  let isWaiting = false;
  try {
    const taken = await takeJobs(tx, {
      environment,
      types: types.filter((type) => !isBinding(type)),
      worker,
      count: maximum,
      until: addMilliseconds(now, lockSeconds * SECOND_MILLISECONDS),
      at: ctx.timeIn(environment),
      now,
    });
    if (taken.length > 0 || left <= 0 || signal.aborted || arrivals.isClosed) return taken;
    isWaiting = true;
    throw new NotReady('Work of these types', arrival.within(left, signal));
  } finally {
    if (!isWaiting) arrival.forget();
  }
}

/** What can become of a piece of work. */
const NEXT: Readonly<Record<Job['status'], readonly Job['status'][]>> = {
  waiting: ['locked', 'cancelled'],
  locked: ['waiting', 'completed', 'failed', 'cancelled'],
  completed: [],
  failed: ['waiting', 'cancelled'],
  cancelled: [],
};

/** Refuses a result of somebody who does not, or no longer, hold the lock. */
function assertHeld({ status, worker: holder }: Job, worker: string): void {
  if (status !== 'locked') {
    throw new Problem('invalid_state_transition', { currentStatus: status, allowedTransitions: [...NEXT[status]] });
  }
  if (holder !== worker) throw new Problem('workflow_job_lock_lost');
}

/** Refuses members of a result that belong to another outcome. */
function assertFits({ outcome, errorCode, message, retriesLeft, retryAfterSeconds, variables }: Result): void {
  const wrong = (pointer: string, text: string) => ({ pointer, code: 'not_allowed', message: text });
  const errors = [
    ...(outcome === 'error' && errorCode === undefined
      ? [{ pointer: '/errorCode', code: 'required', message: 'is needed with the outcome error' }]
      : []),
    ...(outcome !== 'error' && errorCode !== undefined ? [wrong('/errorCode', 'belongs to the outcome error')] : []),
    ...(outcome === 'failed' && variables !== undefined
      ? [wrong('/variables', 'belong to the outcomes completed and error')]
      : []),
    ...Object.entries({ message, retriesLeft, retryAfterSeconds })
      .filter(([, value]) => outcome !== 'failed' && value !== undefined)
      .map(([name]) => wrong(`/${name}`, 'belongs to the outcome failed')),
  ];
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
}

type Result = Context<'reportWorkflowJob'>['body'];

/** What the process learns of a result, or null if the work is given to a worker again. */
function commandOf({ execution }: Job, result: Result, retriesLeft: number): Command | null {
  const { outcome, variables = {}, errorCode, message = 'The worker gives no reason.' } = result;
  if (outcome === 'completed') return { do: 'complete', execution, variables };
  if (outcome === 'error') {
    return {
      do: 'error',
      execution,
      code: errorCode!,
      variables,
    };
  }
  if (retriesLeft > 0) return null;
  return {
    do: 'stop',
    execution,
    code: 'retries_exhausted',
    message,
  };
}

function pauseOf({ retryAfterSeconds }: Result, attempts: number): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * SECOND_MILLISECONDS;
  return Math.min(FIRST_PAUSE_MILLISECONDS * 4 ** Math.max(0, attempts - 1), LONGEST_PAUSE_MILLISECONDS);
}

/** Ends a piece of work that the worker holds. The instance is locked first, like everywhere. */
async function report(ctx: Context<'reportWorkflowJob'>, { id, instanceId }: Job): Promise<void> {
  const { tx, body, now } = ctx;
  assertFits(body);
  const instance = (await lockInstance(tx, instanceId))!;
  const job = await lookup(ctx).job(id).forChange();
  assertHeld(job, body.worker);
  assertActive(instance);
  assertRoom(instance, body.variables ?? {});
  const failed = body.outcome === 'failed';
  const retriesLeft = failed ? (body.retriesLeft ?? Math.max(0, job.retriesLeft - 1)) : job.retriesLeft;
  const command = commandOf(job, body, retriesLeft);
  const at = ctx.timeIn(job.environment);
  const availableAt = addMilliseconds(now, pauseOf(body, job.attempts));
  const ended = failed ? 'failed' : 'completed';
  await changeJob(
    tx,
    id,
    {
      status: command === null ? 'waiting' : ended,
      retriesLeft,
      lockedUntil: null,
      availableAt,
    },
    at,
  );
  if (command !== null) await advance(tx, instance, command, { at, now });
}

type Operations = 'activateWorkflowJobs' | 'reportWorkflowJob';

export const jobHandlers = ({ workArrivals }: { readonly workArrivals: WorkArrivals }): Pick<Handlers, Operations> => ({
  activateWorkflowJobs: withFairQueue<'activateWorkflowJobs'>(takings, async (ctx) => {
    ctx.setResourceEnvironment(ctx.environment);
    const taken = await take(ctx, workArrivals);
    const instances = await Promise.all(taken.map(({ instanceId }) => findInstance(ctx.tx, instanceId)));
    for (const job of taken) ctx.audit('workflow_job.activated', about(job), { worker: job.worker, type: job.type });
    const items = taken.map((job, index) => presentActivatedJob(job, instances[index]!));
    return ctx.reply(200, { items });
  }),

  reportWorkflowJob: async (ctx) => {
    const found = await lookup(ctx).job(ctx.params.workflowJobId).forChangeWithoutLock();
    await report(ctx, found);
    const reported = (await findJob(ctx.tx, found.id))!;
    const { outcome } = ctx.body;
    const action = outcome === 'failed' ? 'workflow_job.failed' : 'workflow_job.completed';
    ctx.audit(action, about(reported), { instanceId: reported.instanceId, outcome });
    return ctx.reply(200, presentJob(reported));
  },
});
