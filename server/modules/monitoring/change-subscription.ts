/**
 * What people do to a subscription: subscribe, change schedule and checks, pause, resume, run now. Called by the
 * handlers. Refuses applicants who are not approved, ended subscriptions, and pauses by anybody but a compliance
 * officer, because a pause leaves a customer unwatched.
 */
import { addMilliseconds, type BusinessTime, DAY_MILLISECONDS, readStatedTime } from '../../base/time.ts';
import type { Transaction } from '../../database/index.ts';
import type { components } from '../../contract/generated/types.ts';
import { type AnyPrincipal, actorOf } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Context, ValidPart } from '../../request/handler.ts';
import { assertMatch } from '../../request/preconditions.ts';
import { mergePatch } from '../../rules/merge-patch.ts';
import { isCustomerNow } from '../applications/index.ts';
import {
  requestRun,
  type Check,
  hurryRun,
  insertSubscription,
  currentSubscription,
  lockSubscription,
  type Subscription,
  updateSubscription,
} from '../subscriptions/index.ts';
import { lookup } from './lookup.ts';

type Schemas = components['schemas'];
type Reading = Pick<
  Context<'getSubscription'>,
  'tx' | 'principal' | 'visible' | 'sandboxEnabled' | 'setResourceEnvironment'
>;
type Changing = Reading &
  Pick<Context<'updateSubscription'>, 'now' | 'timeIn'> & { readonly params: { readonly subscriptionId: string } };

const LONGEST_PAUSE_DAYS = 30;
/** Checks that a screening performs. */
const LISTED_CHECKS = ['sanctions', 'pep'] as const satisfies readonly Check[];

/** Subscribes an approved applicant without a current subscription. */
export async function createSubscription(
  ctx: Reading & Pick<Context<'createSubscription'>, 'body' | 'now' | 'timeIn'>,
): Promise<string> {
  const {
    tx,
    principal,
    body: { applicationId, checks, schedule },
    now,
    timeIn,
  } = ctx;
  assertFaultless(scheduleFaults({ schedule }));
  const { id, environment, status } = await lookup(ctx).application(applicationId).forChangeWithoutLock();
  if (!(await isCustomerNow(tx, id)))
    throw new Problem('subject_not_approved', { detail: `The application is ${status}.` });
  if ((await currentSubscription(tx, id)) !== null) throw new Problem('already_monitored');
  return insertSubscription(tx, {
    environment,
    applicationId: id,
    createdBy: actorOf(principal),
    checks,
    intervalDays: schedule?.intervalDays ?? null,
    at: timeIn(environment),
    now,
  });
}

/** Returns the contradictions within a schedule. */
export function scheduleFaults({ schedule }: ValidPart<Pick<Schemas['SubscriptionUpdate'], 'schedule'>>): FieldError[] {
  const { kind, intervalDays = null } = schedule ?? {};
  if (kind === 'interval' && intervalDays === null)
    return [{ pointer: '/schedule/intervalDays', code: 'required', message: 'is required for interval' }];
  return kind === 'on_list_update' && intervalDays !== null
    ? [
        {
          pointer: '/schedule/intervalDays',
          code: 'not_allowed',
          message: 'must be null or left out for on_list_update',
        },
      ]
    : [];
}

/**
 * Returns the contradictions within a patch: an interval with `on_list_update`, and a pause without its reason and end.
 */
export function updateFaults({ schedule, ...patch }: ValidPart<Schemas['SubscriptionUpdate']>): FieldError[] {
  const faults = schedule?.kind === 'on_list_update' ? scheduleFaults({ schedule }) : [];
  for (const name of ['pauseReason', 'pauseUntil'] as const) {
    const isSet = (patch[name] ?? null) !== null;
    if (patch.status === 'paused' && !isSet)
      faults.push({ pointer: `/${name}`, code: 'required', message: 'is required for paused' });
    if (patch.status !== 'paused' && isSet)
      faults.push({
        pointer: `/${name}`,
        code: 'not_allowed',
        message: 'must be left out unless the status is paused',
      });
  }
  return faults;
}

function assertFaultless(errors: FieldError[]): void {
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
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
  const isWatched = (one: Pick<Subscription, 'status' | 'checks'>): boolean =>
    one.status === 'active' && one.checks.includes('sanctions');
  if (isWatched(before) && !isWatched({ status, checks })) assertOfficer(principal);
  const intervalDays = scheduleAfter(ctx, before);
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
  // Lists may have changed while the subscription was paused.
  if (before.status === 'paused' && status === 'active') await requestRun(tx, [before.id], 'resumed', now);
  else if (LISTED_CHECKS.some((check) => checks.includes(check) && !before.checks.includes(check)))
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
  const current = await currentSubscription(tx, applicationId);
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
