/**
 * Screenings that callers ask for, their repetition, and screenings without a request. Called by the handlers and,
 * through the index, by monitoring. Refuses beyond the daily quota, unknown or missing lists, and names that cannot be
 * compared.
 */
import type { RealTime } from '../../base/time.ts';
import { actorOf, type AnyPrincipal, type Environment } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import { lockUntilCommit } from '../../database/advisory-lock.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context } from '../../request/handler.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import type { ApplicationRecord } from '../applications/index.ts';
import { isWatchList } from '../watch-lists/index.ts';
import type { LoadedLists } from './loaded-lists.ts';
import { lookup } from './lookup.ts';
import { runScreening, type Screened } from './run-screening.ts';
import type { Screener } from './search-for-screening.ts';
import { type ScreeningRecord, screeningsSince } from './store.ts';
import { assertBorn, subjectOf } from './subject.ts';

type Asking = Pick<
  Context<'createScreening'>,
  'tx' | 'principal' | 'environment' | 'visible' | 'sandboxEnabled' | 'setResourceEnvironment' | 'now' | 'timeIn'
>;

export async function screen(
  ctx: Asking & Pick<Context<'createScreening'>, 'body'>,
  lists: LoadedLists,
): Promise<Screened> {
  const {
    body: { applicationId, subject, lists: wanted, criteria = {} },
  } = ctx;
  assertBorn(subject, calendarDate(ctx.timeIn(ctx.environment)));
  const choice = { lists: wanted, withOwn: wanted === undefined, criteria };
  if (applicationId === undefined) {
    const { environment } = ctx;
    ctx.setResourceEnvironment(environment);
    return runScreening(await metered(ctx, environment), lists, {
      ...choice,
      environment,
      applicationId: null,
      subjectId: null,
      subject: subjectOf(subject, null, environment),
    });
  }
  const { id, environment, applicant } = await lookup(ctx).application(applicationId).forChangeWithoutLock();
  return runScreening(await metered(ctx, environment), lists, {
    ...choice,
    environment,
    applicationId: id,
    subjectId: id,
    subject: subjectOf(subject, applicant, environment),
  });
}

/**
 * Re-runs a screening with its original options, overridden by the request; on the current own list, if there is one.
 */
export async function rerun(
  ctx: Asking & Pick<Context<'rerunScreening'>, 'body'>,
  lists: LoadedLists,
  {
    environment,
    applicationId,
    subjectId,
    subject,
    lists: searched,
    criteria: { threshold, ...criteria },
    profileVersion,
  }: ScreeningRecord,
): Promise<Screened> {
  // In screenings from before there were profiles, the threshold of the settings is stored as if the request had set
  // it.
  const originalCriteria = profileVersion === null || threshold === undefined ? criteria : { ...criteria, threshold };
  return runScreening(await metered(ctx, environment), lists, {
    environment,
    applicationId,
    subjectId,
    subject,
    lists: ctx.body.lists ?? searched.map(({ listId }) => listId).filter(isWatchList),
    withOwn: ctx.body.lists === undefined,
    criteria: { ...originalCriteria, ...ctx.body.criteria },
  });
}

/**
 * Re-screens the applicant of an application by the current settings, without a request. Does not count towards the
 * daily quota of the tenant.
 */
export function rescreen(
  screener: Screener,
  lists: LoadedLists,
  { id, environment, applicant }: Pick<ApplicationRecord, 'id' | 'environment' | 'applicant'>,
): Promise<Screened> {
  return runScreening(screener, lists, {
    environment,
    applicationId: id,
    subjectId: id,
    subject: subjectOf(undefined, applicant, environment),
    lists: undefined,
    withOwn: true,
    criteria: {},
  });
}

/** Returns a caller as the initiator. Screenings of the live environment count towards the quota. */
async function metered({ tx, principal, now, timeIn }: Asking, environment: Environment): Promise<Screener> {
  if (environment === 'live') await assertQuota(tx, principal, now);
  return {
    tx,
    tenantId: principal.tenantId,
    by: actorOf(principal),
    now,
    at: timeIn(environment),
  };
}

/** Upper bound of the screenings of a tenant that are in progress at the same time, in all processes together. */
const MOST_AT_ONCE = 1_000;

/**
 * Rejects a screening beyond the daily quota, by days of UTC. Far from the quota no request waits for another; near it
 * screenings are counted one after the other, so that concurrent requests cannot all use the last place.
 */
async function assertQuota(tx: Transaction, { tenantId }: AnyPrincipal, now: RealTime): Promise<void> {
  const today = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
  const room = async (): Promise<number> => {
    const { quota, used } = await screeningsSince(tx, today);
    return quota === null ? Number.POSITIVE_INFINITY : quota - used;
  };
  if ((await room()) >= MOST_AT_ONCE) return;
  void lockUntilCommit(tx, 'screeningsPerDay', tenantId);
  if ((await room()) <= 0) throw new Problem('quota_exceeded', { detail: 'The quota screeningsPerDay is used up.' });
}
