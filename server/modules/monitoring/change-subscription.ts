/**
 * What people do to a subscription: subscribe, change schedule and checks, pause, resume, run now. Called by the
 * handlers. Refuses subjects who are not approved, ended subscriptions, and pauses by anybody but a compliance
 * officer, because a pause leaves a customer unwatched.
 */
import { addMilliseconds, type BusinessTime, DAY_MILLISECONDS, readStatedTime } from '../../base/time.ts';
import type { Transaction } from '../../database/index.ts';
import type { components } from '../../contract/generated/types.ts';
import { type AnyPrincipal, actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Context } from '../../request/handler.ts';
import { assertMatch } from '../../request/preconditions.ts';
import { mergePatch } from '../../rules/merge-patch.ts';
import { type Subject, subjectNamedBy } from '../../rules/subject.ts';
import { isCustomerNow } from '../applications/index.ts';
import { isCustomerBusinessNow, readStructure, statesOf } from '../businesses/index.ts';
import {
  acceptedAt,
  type Check,
  hurryRun,
  insertSubscription,
  intervalOf,
  isCheckOfRuns,
  currentSubscription,
  lockSubscription,
  requestRun,
  type Subscription,
  updateSubscription,
} from '../subscriptions/index.ts';
import { lookup } from './lookup.ts';
import { assertFaultless, scheduleFaults, subjectFaults, updateFaults } from './subscription-faults.ts';

type Schemas = components['schemas'];
type Reading = Pick<
  Context<'getSubscription'>,
  'tx' | 'principal' | 'visible' | 'sandboxEnabled' | 'setResourceEnvironment'
>;
type Changing = Reading &
  Pick<Context<'updateSubscription'>, 'now' | 'timeIn'> & { readonly params: { readonly subscriptionId: string } };

const LONGEST_PAUSE_DAYS = 30;
/** Checks that only a compliance officer may stop. */
const ESSENTIAL_CHECKS = ['sanctions', 'registry_status'] as const satisfies readonly Check[];

/** Subscribes an approved applicant or an approved business without a current subscription. */
export async function createSubscription(
  ctx: Reading & Pick<Context<'createSubscription'>, 'body' | 'now' | 'timeIn'>,
): Promise<string> {
  const {
    tx,
    principal,
    body: { checks, schedule, ...named },
    now,
    timeIn,
  } = ctx;
  const subject = subjectNamedBy(named);
  assertFaultless(subjectFaults(subject.kind, { checks, schedule }));
  const { id, environment, status, isCustomer } = await findCustomer(ctx, subject);
  if (!isCustomer) throw new Problem('subject_not_approved', { detail: `The ${subject.kind} is ${status}.` });
  if ((await currentSubscription(tx, subject)) !== null) throw new Problem('already_monitored');
  const at = timeIn(environment);
  return insertSubscription(tx, {
    environment,
    subject,
    createdBy: actorOf(principal),
    ...(checks !== undefined && { checks }),
    intervalDays: schedule?.intervalDays ?? intervalOf(subject),
    accepted: subject.kind === 'business' ? acceptedAt(statesOf(await readStructure(tx, id)), at) : null,
    at,
    now,
  });
}

/** Finds the subject of a new subscription. A business is locked, because its states are read. */
async function findCustomer(
  ctx: Reading,
  { kind, id }: Subject,
): Promise<{
  readonly id: string;
  readonly environment: Subscription['environment'];
  readonly status: string;
  readonly isCustomer: boolean;
}> {
  if (kind === 'application') {
    const found = await lookup(ctx).application(id).forChangeWithoutLock();
    return { ...found, isCustomer: await isCustomerNow(ctx.tx, id) };
  }
  const found = await lookup(ctx).business(id).forChange();
  return { ...found, isCustomer: await isCustomerBusinessNow(ctx.tx, id) };
}

interface Changed {
  readonly before: Subscription;
  readonly after: Subscription;
}

/**
 * Returns the schedule after a merge patch (RFC 7396), validated like a new one. A change of kind removes the interval.
 */
function scheduleAfter(
  { body, resultFaults }: Pick<Context<'updateSubscription'>, 'body' | 'resultFaults'>,
  { intervalDays }: Subscription,
): number | null {
  if (body.schedule === undefined) return intervalDays;
  const isEnded = body.schedule.kind === 'on_list_update';
  const before =
    intervalDays === null
      ? { kind: 'on_list_update' }
      : { kind: 'interval', intervalDays: isEnded ? null : intervalDays };
  const schedule = mergePatch(before, body.schedule) as Schemas['MonitoringScheduleInput'];
  assertFaultless([...resultFaults({ schedule })]);
  assertFaultless(scheduleFaults({ schedule }));
  return schedule.intervalDays ?? null;
}

export async function changeSubscription(
  ctx: Changing & Pick<Context<'updateSubscription'>, 'headers' | 'body' | 'resultFaults'>,
): Promise<Changed> {
  const {
    tx,
    principal,
    params: { subscriptionId },
    body: patch,
    timeIn,
    now,
  } = ctx;
  const before = await lookup(ctx).subscription(subscriptionId).forChange();
  assertMatch(ctx.headers['if-match'], before.version);
  if (before.status === 'ended') throw new Problem('monitoring_not_active');
  assertFaultless(updateFaults(patch));
  const at = timeIn(before.environment);
  const { status = before.status } = patch;
  const checks = [...(patch.checks ?? before.checks)];
  const isWatched = (one: Pick<Subscription, 'status' | 'checks'>, check: Check): boolean =>
    one.status === 'active' && one.checks.includes(check);
  if (ESSENTIAL_CHECKS.some((check) => isWatched(before, check) && !isWatched({ status, checks }, check)))
    assertOfficer(principal);
  const { kind } = subjectNamedBy(before);
  assertFaultless(subjectFaults(kind, { checks }));
  const intervalDays = scheduleAfter(ctx, before);
  if (intervalDays === null) assertFaultless(subjectFaults(kind, { schedule: { kind: 'on_list_update' } }));
  const isRescheduled = intervalDays !== before.intervalDays || status !== before.status;
  const nextRunAt =
    intervalDays === null || status !== 'active'
      ? null
      : addMilliseconds(at, intervalDays * DAY_MILLISECONDS).toISOString();
  const pause = patch.status === undefined ? before : pauseOf(patch, at);
  const after = await updateSubscription(
    tx,
    before.id,
    {
      checks,
      intervalDays,
      status,
      pauseReason: pause.pauseReason,
      pauseUntil: pause.pauseUntil,
      nextRunAt: isRescheduled ? nextRunAt : before.nextRunAt,
    },
    at,
  );
  // Lists or the registry may have changed while the subscription was paused.
  if (before.status === 'paused' && status === 'active') await requestRun(tx, [before.id], 'resumed', now);
  else if (checks.some((check) => isCheckOfRuns(check) && !before.checks.includes(check)))
    await requestRun(tx, [before.id], 'outdated', now);
  return { before, after };
}

/**
 * Changes how often an applicant is screened again, for a process; null means only after changes of lists. It begins,
 * pauses and ends nothing.
 */
export async function changeInterval(
  tx: Transaction,
  applicationId: string,
  intervalDays: number | null,
  at: BusinessTime,
): Promise<Changed> {
  const current = await currentSubscription(tx, { kind: 'application', id: applicationId });
  const before = current === null ? null : await lockSubscription(tx, current.id);
  if (before?.status !== 'active') throw new Problem('monitoring_not_active');
  const { id, checks, status, pauseReason, pauseUntil } = before;
  const nextRunAt = intervalDays === null ? null : addMilliseconds(at, intervalDays * DAY_MILLISECONDS).toISOString();
  const changed = {
    checks,
    intervalDays,
    status,
    pauseReason,
    pauseUntil,
    nextRunAt,
  };
  return { before, after: await updateSubscription(tx, id, changed, at) };
}

function pauseOf(
  { status, pauseReason = null, pauseUntil = null }: Schemas['SubscriptionUpdate'],
  at: BusinessTime,
): Pick<Subscription, 'pauseReason' | 'pauseUntil'> {
  if (status !== 'paused' || pauseUntil === null) return { pauseReason: null, pauseUntil: null };
  const until = readStatedTime(pauseUntil);
  if (until === null || until <= at || until > addMilliseconds(at, LONGEST_PAUSE_DAYS * DAY_MILLISECONDS)) {
    throw new Problem('validation_failed', {
      errors: [
        {
          pointer: '/pauseUntil',
          code: 'range',
          message: `must be in the future, ${LONGEST_PAUSE_DAYS} days ahead at most`,
        },
      ],
    });
  }
  return { pauseReason, pauseUntil: until.toISOString() };
}

/**
 * Rejects callers other than a compliance officer, because nobody else, and no API key, may stop the monitoring of an
 * applicant.
 */
function assertOfficer(principal: AnyPrincipal): void {
  if (principal.kind !== 'user' || principal.role !== 'compliance_officer') throw new Problem('role_forbidden');
}

/** Queues a run ahead of all background runs. If one is already waiting, it is run at once. */
export async function runNow(ctx: Changing): Promise<Subscription> {
  const { tx, now } = ctx;
  const found = await lookup(ctx).subscription(ctx.params.subscriptionId).forChange();
  if (found.status !== 'active') throw new Problem('monitoring_not_active');
  if (found.waitingFor === 'requested' || found.waitingFor === 'subscribed')
    throw new Problem('run_in_progress', { retryable: true, retryAfter: 1 });
  if (found.waitingFor === null) await requestRun(tx, [found.id], 'requested', now);
  else hurryRun(tx, found.id, now);
  return found;
}
