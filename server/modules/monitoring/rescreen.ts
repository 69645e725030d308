import { uuidv7 } from '../../base/uuid.ts';
import { DAY_MILLISECONDS, HOUR_SECONDS } from '../../base/time.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { TaskKind } from '../../tasks/task.ts';
import { findApplication, sandboxAheadMilliseconds } from '../applications/index.ts';
import { type LoadedLists, rescreen } from '../screenings/index.ts';
import { addRun, endRun, lockSubscription, MONITORING, RESCREEN, type Subscription, type Waiting, type When } from '../subscriptions/index.ts';
import { activeVersions } from '../watch-lists/index.ts';

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

/** One run: what was found, with the alerts about it. */
export async function runSubscription(tx: Transaction, watchLists: LoadedLists, { subscription, application, why }: ToRun, when: When): ReturnType<typeof rescreen> {
  const screened = await rescreen({ tx, tenantId: tx.tenantId!, by: MONITORING, ...when }, watchLists, application);
  over(tx, { ...subscription, waitingFor: why }, when.at, { result: screened.result, screeningId: screened.id, newAlerts: screened.alerts.filter(({ isNew }) => isNew).length });
  return screened;
}

const FAILED = { result: 'failed', screeningId: null, newAlerts: 0 } as const;

function over(tx: Transaction, { id, environment, waitingFor, intervalDays }: Subscription, at: Date, run: Pick<Parameters<typeof addRun>[1], 'result' | 'screeningId' | 'newAlerts'>): void {
  addRun(tx, { ...run, id: uuidv7(), subscriptionId: id, environment, at, trigger: waitingFor ?? 'requested' });
  const pause = run.result === 'failed' ? AGAIN_MILLISECONDS : intervalDays === null ? null : intervalDays * DAY_MILLISECONDS;
  endRun(tx, id, { at, result: run.result, nextRunAt: pause === null ? null : new Date(at.getTime() + pause) });
}
