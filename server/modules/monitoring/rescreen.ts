import { uuidv7 } from '../../base/uuid.ts';
import { DAY_MILLISECONDS, HOUR_SECONDS } from '../../base/time.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { TaskKind } from '../../tasks/task.ts';
import { findApplication, sandboxAheadMilliseconds } from '../applications/index.ts';
import { type KeptHit, type LoadedLists, rescreen } from '../screenings/index.ts';
import { addRun, type Check, dedupeKeyOf, endRun, lockSubscription, NOT_COMPARABLE, RESCREEN, resolveNotComparable, resolveUnseen, type Severity, type Subscription, type Waiting } from '../subscriptions/index.ts';
import { activeVersions, watchListOf } from '../watch-lists/index.ts';
import { MONITORING, seen } from './alerts.ts';

/** The engine loads lists that have just become active. */
const LOADING_MILLISECONDS = 1_000;
/** An applicant who could not be screened is screened again. */
const AGAIN_MILLISECONDS = HOUR_SECONDS * 1000;

/** One run of a subscription: the applicant is compared with the lists as they are, and what nobody has decided about is an alert. */
export const rescreenTask: TaskKind<{ readonly watchLists: LoadedLists }> = {
  name: RESCREEN.name,
  step: async ({ tx, subjectId, now }, { watchLists }) => {
    const subscription = await lockSubscription(tx, subjectId);
    // A reset of the sandbox was first, or it was paused or has ended meanwhile.
    if (subscription === null || subscription.status !== 'active' || subscription.waitingFor === null) return null;
    const { environment, applicationId } = subscription;
    const [application, active, ahead] = await Promise.all([
      findApplication(tx, { tenantId: tx.tenantId!, id: applicationId }), activeVersions(tx, environment), environment === 'sandbox' ? sandboxAheadMilliseconds(tx) : 0,
    ]);
    if (application === null || application.erasedAt !== null) return null;
    if (!watchLists.isCurrent(environment, active)) return LOADING_MILLISECONDS;
    const at = new Date(now.getTime() + ahead);
    try {
      await runSubscription(tx, watchLists, { subscription, application, why: subscription.waitingFor }, { at, now });
    } catch (error) {
      // A list of the settings was never imported: nothing was written yet, and a person has to know.
      if (!(error instanceof Problem)) throw error;
      over(tx, subscription, at, FAILED);
    }
    return null;
  },
  giveUp: async ({ tx, subjectId, now }) => {
    const subscription = await lockSubscription(tx, subjectId);
    if (subscription !== null && subscription.status === 'active') over(tx, subscription, now, FAILED);
  },
};

/** Who is screened, and by which subscription, which is locked. */
interface ToRun {
  readonly subscription: Subscription;
  readonly application: Parameters<typeof rescreen>[2];
  readonly why: Waiting;
}

/** An alert of a run, beside the hit that it is about; null for one about the name of the applicant. */
interface Told {
  readonly alertId: string;
  readonly isNew: boolean;
  readonly severity: Severity;
  readonly hitId: string | null;
}

/** One run: what was found, and what was told of it. */
export async function runSubscription(tx: Transaction, watchLists: LoadedLists, { subscription, application, why }: ToRun, when: When): Promise<{ readonly screened: Awaited<ReturnType<typeof rescreen>>; readonly told: readonly Told[] }> {
  const screened = await rescreen({ tx, tenantId: tx.tenantId!, by: MONITORING, ...when }, watchLists, application);
  const told = await tell(tx, subscription, screened, when);
  over(tx, { ...subscription, waitingFor: why }, when.at, { result: screened.result, screeningId: screened.id, newAlerts: told.filter(({ isNew }) => isNew).length });
  return { screened, told };
}

/** The business time, and the real one. */
interface When {
  readonly at: Date;
  readonly now: Date;
}

const FAILED = { result: 'failed', screeningId: null, newAlerts: 0 } as const;

function over(tx: Transaction, { id, environment, waitingFor, intervalDays }: Subscription, at: Date, run: Pick<Parameters<typeof addRun>[1], 'result' | 'screeningId' | 'newAlerts'>): void {
  addRun(tx, { ...run, id: uuidv7(), subscriptionId: id, environment, at, trigger: waitingFor ?? 'requested' });
  const pause = run.result === 'failed' ? AGAIN_MILLISECONDS : intervalDays === null ? null : intervalDays * DAY_MILLISECONDS;
  endRun(tx, id, { at, result: run.result, nextRunAt: pause === null ? null : new Date(at.getTime() + pause) });
}

/** Raises what is open, and resolves what is no longer found. */
async function tell(tx: Transaction, { id: subscriptionId, environment, applicationId, checks }: Subscription, { id: screeningId, hits, truncated, isComparable }: Awaited<ReturnType<typeof rescreen>>, when: When): Promise<Told[]> {
  if (!truncated) resolveUnseen(tx, applicationId, hits);
  const told: Told[] = [];
  if (isComparable) resolveNotComparable(tx, applicationId);
  else {
    const { id: alertId, isNew } = await seen(tx, { subscriptionId, environment, applicationId, ...NOT_COMPARABLE }, when);
    told.push({ alertId, isNew, severity: NOT_COMPARABLE.severity, hitId: null });
  }
  for (const hit of hits) {
    const kind = checkOf(hit);
    if (hit.status !== 'open' || !checks.includes(kind)) continue;
    const { listId, entityMac, entityHash, score, scoreBefore } = hit;
    const severity = severityOf(hit);
    const { id: alertId, isNew } = await seen(tx, {
      subscriptionId, environment, applicationId, kind, severity, dedupeKey: dedupeKeyOf(hit), screeningId, hitId: hit.id, listId, entityMac, entityHash, score, scoreBefore,
    }, when);
    told.push({ alertId, isNew, severity, hitId: hit.id });
  }
  return told;
}

const checkOf = ({ category }: KeptHit): Check => (category === 'pep' || category === 'rca' ? 'pep' : 'sanctions');

/** Whoever may be on the list that the law demands, or is nearly surely sanctioned, comes first; what a tenant only wants to see for its weakness comes last. Of a namesake on any list something contradicts that they are the same. */
function severityOf({ category, listId, score, band }: KeptHit): Severity {
  if (band === 'namesake') return 'medium';
  if (category === 'sanction' && (watchListOf(listId).isMandatory || score >= 0.95)) return 'critical';
  if (category === 'sanction') return band === 'low' ? 'medium' : 'high';
  return category === 'rca' || band === 'low' ? 'low' : 'medium';
}
