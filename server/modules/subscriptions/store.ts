/**
 * Table `monitoring_subscription` and its statements: subscribing, changing, ending. Used by this module and, through
 * the index, by applications, businesses and monitoring. An applicant or a business has at most one subscription that
 * has not ended.
 */
import type { BusinessTime, RealTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  code,
  codes,
  type Fragment,
  type InsertOf,
  integer,
  json,
  type RowOf,
  sql,
  statement,
  table,
  businessTimestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { bySubject, keyOf, type OfSubject, subjectMembers } from '../../rules/subject-rows.ts';
import { enqueueTask } from '../../tasks/task.ts';
import { resolveEnded } from './resolved-alert-store.ts';
import { type Check, CHECKS_BY_LISTS, CHECKS_OF, CHECKS_OF_RUNS } from './checks.ts';
import type { Comparison, Rehearsal } from './comparison.ts';
import type { Accepted } from './states.ts';

type Schemas = components['schemas'];

/** Why a run is waiting. */
export type Waiting = 'subscribed' | 'list_updated' | 'interval' | 'resumed' | 'requested' | 'outdated';

export const subscription = table(
  'monitoring_subscription',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    checks: codes<Check>().changes('the checks or the interval of the subscription are changed'),
    intervalDays: integer().nullable().changes('the checks or the interval of the subscription are changed'),
    status: code<'active' | 'paused' | 'ended'>().defaulted().changes('the subscription is paused, resumed or ended'),
    pauseReason: code<Schemas['PauseReasonInput']>()
      .nullable()
      .defaulted()
      .changes('the subscription is paused, resumed or ended'),
    pauseUntil: businessTimestamp().nullable().defaulted().changes('the subscription is paused, resumed or ended'),
    endReason: code<EndReason>().nullable().defaulted().changes('the subscription is paused, resumed or ended'),
    waitingFor: code<Waiting>().nullable().unaudited().changes('a run is queued or completed'),
    nextRunAt: businessTimestamp().nullable().unaudited().changes('a run is queued or completed'),
    lastRunAt: businessTimestamp().nullable().defaulted().unaudited().changes('a run is queued or completed'),
    lastResult: code<Schemas['RunResult']>().nullable().defaulted().unaudited().changes('a run is queued or completed'),
    // Null if no comparison is known: before the first run, after a failed one, and while the lists are not
    // followed for the subscription.
    compared: json<Comparison>()
      .nullable()
      .impersonal('versions of the lists and of the algorithm')
      .defaulted()
      .unaudited()
      .changes('a run is queued or completed'),
    // Null for an applicant.
    accepted: json<Accepted>()
      .nullable()
      .impersonal('situations in the registry, and digests of owners')
      .unaudited()
      .changes('people accept what monitoring has found of a business, with an alert or by a new approval'),
    rehearsal: json<Rehearsal>()
      .nullable()
      .impersonal('the version of an algorithm and a number of hits')
      .defaulted()
      .unaudited()
      .changes('a rehearsal runs a newer algorithm'),
    version: integer().defaulted().unaudited().changes('each change sets the time and the version'),
    createdAt: businessTimestamp(),
    updatedAt: businessTimestamp().unaudited().changes('each change sets the time and the version'),
    createdBy: actor(),
  },
  {
    owner: 'applicationOrBusiness',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: { checks: ['sanctions'], accepted: null },
  },
);

export type EndReason = 'relationship_ended' | 'renewed' | 'rejected' | 'withdrawn' | 'erased';

export const own = subscription.except('tenantId', 'compared', 'rehearsal', 'accepted');
export type Subscription = RowOf<typeof own>;

type Key = { tenantId: string; id: string };

const insert = statement<InsertOf<typeof subscription>>('subscription.insert', (p) => subscription.insert(p));

const find = statement<Key, Subscription>(
  'subscription.find',
  (p) =>
    sql`SELECT ${own} FROM monitoring_subscription WHERE ${subscription.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const lock = statement<Key, Subscription>(
  'subscription.lock',
  (p) => sql`
  SELECT ${own} FROM monitoring_subscription WHERE ${subscription.equal({ tenantId: p.tenantId, id: p.id })}
    FOR UPDATE`,
);

const findCurrent = bySubject((member, kind) =>
  statement<OfSubject, Subscription>(
    `subscription.standing.${kind}`,
    (p) => sql`
  SELECT ${own} FROM monitoring_subscription
    WHERE ${subscription.equal({ tenantId: p.tenantId, [member]: p.subjectId })} AND status <> 'ended'`,
  ),
);

export const LIST_CHECKS = sql`${CHECKS_BY_LISTS}::text[]`;
export const RUN_CHECKS = sql`${CHECKS_OF_RUNS}::text[]`;

type Change = Pick<Subscription, 'checks' | 'intervalDays' | 'status' | 'pauseReason' | 'pauseUntil' | 'nextRunAt'>;

/**
 * Updates a subscription. Without an active check that runs perform, no run waits and none is due. Without an active
 * check by lists, the last comparison is cleared, because lists are not followed for the subscription.
 */
const update = statement<Key & Change & { at: BusinessTime }, Subscription>('subscription.update', (p) => {
  const whileChecked = (checks: Fragment, value: Fragment): Fragment =>
    sql`CASE WHEN ${p.status}::text = 'active' AND ${p.checks}::text[] && ${checks} THEN ${value} END`;
  return sql`
  UPDATE monitoring_subscription SET ${subscription.revise(
    sql`greatest(${p.at}::timestamptz, updated_at + interval '1 millisecond')`,
    {
      checks: p.checks,
      intervalDays: p.intervalDays,
      status: p.status,
      pauseReason: p.pauseReason,
      pauseUntil: p.pauseUntil,
      nextRunAt: whileChecked(RUN_CHECKS, sql`${p.nextRunAt}::timestamptz`),
      waitingFor: whileChecked(RUN_CHECKS, sql`waiting_for`),
      compared: whileChecked(LIST_CHECKS, sql`compared`),
    },
  )} WHERE ${subscription.equal({ tenantId: p.tenantId, id: p.id })} RETURNING ${own}`;
});

type Ending = {
  tenantId: string;
  ids: readonly string[];
  reason: EndReason;
  at: BusinessTime;
};

const end = bySubject((member, kind) =>
  statement<Ending>(
    `subscription.end.${kind}`,
    (p) => sql`
  UPDATE monitoring_subscription SET ${subscription.revise(
    sql`greatest(${p.at}::timestamptz, updated_at + interval '1 millisecond')`,
    {
      status: 'ended',
      endReason: p.reason,
      pauseReason: null,
      pauseUntil: null,
      nextRunAt: null,
      waitingFor: null,
    },
  )} WHERE ${subscription.equal({ tenantId: p.tenantId })} AND ${subscription.column(member)} = ANY (${p.ids}::uuid[])
    AND status <> 'ended'`,
  ),
);

/** Name of the task that performs a run (server/modules/monitoring). */
export const RESCREEN = { name: 'monitoring.rescreen' } as const;

type New = Pick<InsertOf<typeof subscription>, 'environment' | 'createdBy'> & {
  readonly subject: Subject;
  readonly checks?: readonly Check[];
  readonly intervalDays?: number | null;
  /** States of a business that count as accepted; null for an applicant. */
  readonly accepted?: Accepted | null;
  readonly at: BusinessTime;
  readonly now: RealTime;
};

/**
 * Adds a subscription with its first run, in the transaction of its cause; `at` is the business time, and `now` the
 * real one.
 */
export function insertSubscription(
  tx: Transaction,
  { subject, environment, createdBy, accepted = null, at, now, ...given }: New,
): string {
  const { checks = CHECKS_OF[subject.kind], intervalDays = intervalOf(subject) } = given;
  const id = uuidv7();
  void tx.run(insert, {
    ...subjectMembers(subject),
    environment,
    createdBy,
    tenantId: tx.tenantId!,
    id,
    checks: [...checks],
    intervalDays,
    accepted,
    waitingFor: 'subscribed',
    nextRunAt: null,
    createdAt: at,
    updatedAt: at,
  });
  enqueueTask(tx, RESCREEN, id, now);
  return id;
}

/** Days between the runs of a business, whose registry announces no changes. */
const INTERVAL_DAYS = 30;

/** Returns the interval of a subscription whose schedule nobody has chosen. */
export function intervalOf({ kind }: Subject): number | null {
  return kind === 'business' ? INTERVAL_DAYS : null;
}

/** Subscribes unless the subject already has an active subscription. */
export async function subscribe(tx: Transaction, given: New): Promise<string | null> {
  return (await currentSubscription(tx, given.subject)) === null ? insertSubscription(tx, given) : null;
}

export async function currentSubscription(tx: Transaction, subject: Subject): Promise<Subscription | null> {
  return (await tx.run(findCurrent(subject), keyOf(tx, subject)))[0] ?? null;
}

/** Ends the subscriptions of these subjects of one kind, and resolves the alerts whose cause ends with them. */
export async function endSubscriptions(
  tx: Transaction,
  subjects: readonly Subject[],
  reason: EndReason,
  at: BusinessTime,
): Promise<void> {
  const [first] = subjects;
  if (first === undefined) return;
  resolveEnded(tx, subjects);
  const ids = subjects.map(({ id }) => id);
  await tx.run(end(first), {
    tenantId: tx.tenantId!,
    ids,
    reason,
    at,
  });
}

export async function findSubscription(tx: Transaction, id: string): Promise<Subscription | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/** Locks a subscription until the transaction ends, so that nothing changes it and no run of it starts. */
export async function lockSubscription(tx: Transaction, id: string): Promise<Subscription | null> {
  return (await tx.run(lock, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

export async function updateSubscription(
  tx: Transaction,
  id: string,
  change: Change,
  at: BusinessTime,
): Promise<Subscription> {
  return (
    await tx.run(update, {
      ...change,
      tenantId: tx.tenantId!,
      id,
      at,
    })
  )[0]!;
}
