import type { Uuid } from '../../base/uuid.ts';
import type { Transaction } from '../../database/index.ts';
import { LEVELS } from '../../risk/score.ts';
import { findApplication, isCustomerNow, isUnderReview } from '../applications/index.ts';
import { findBusiness, isCustomerBusinessNow } from '../businesses/index.ts';
import { freezeDueOfHit } from '../screenings/index.ts';
import type { SubjectEvent, SubjectListener } from '../subject-events/index.ts';
import { auditBySystem, auditJoined } from './audit-cases.ts';
import { resumeClock, stopClock } from './dues.ts';
import { lockCasesOf } from './due-store.ts';
import { type CaseCause, CASES, joinOpen, type Joined, openOrJoin } from './open-case.ts';

type Heard =
  | 'alert.raised'
  | 'assessment.changed'
  | 'hit.confirmed'
  | 'information.requested'
  | 'power.expired'
  | 'registry.differs'
  | 'screening.completed'
  | 'subject.submitted'
  | 'verification.final';

/** Queue of each severity of an alert. Tenants may rename queues; then the first one is taken. */
export const QUEUE_OF = {
  critical: 'critical',
  high: 'high',
  medium: 'normal',
  low: 'low',
  info: 'low',
} as const;

/** Queue of each level of risk that a subject has risen to. */
const QUEUE_OF_LEVEL = {
  low: 'low',
  medium: 'normal',
  high: 'high',
  prohibited: 'critical',
} as const;

type OfSubject = Pick<SubjectEvent<'hits.reopened'>, 'subject' | 'environment' | 'at' | 'now'>;

function causeOf(
  { subject, environment, at }: OfSubject,
  cause: Pick<CaseCause, 'type' | 'queue' | 'openedReason' | 'link'>,
): CaseCause {
  return {
    ...cause,
    environment,
    subject,
    by: CASES,
    at,
  };
}

/** Audits what a finding has done, if there is a case. */
async function follow(tx: Transaction, event: OfSubject, join: () => Promise<Joined | null>): Promise<void> {
  const joined = await join();
  if (joined !== null) auditJoined(auditBySystem(tx, joined.record, event.now), joined);
}

/** Returns whether a subject is a draft, is being reviewed or is a customer; null if it is none of these. */
async function stageOf(
  tx: Transaction,
  { subject: { kind, id } }: OfSubject,
): Promise<'draft' | 'review' | 'customer' | null> {
  const found =
    kind === 'application' ? await findApplication(tx, { tenantId: tx.tenantId!, id }) : await findBusiness(tx, id);
  if (found === null) return null;
  if (found.status === 'draft') return 'draft';
  if (isUnderReview(found.status)) return 'review';
  const isCustomer = kind === 'application' ? await isCustomerNow(tx, id) : await isCustomerBusinessNow(tx, id);
  return isCustomer ? 'customer' : null;
}

/** Returns whether the level of a subject has risen that is being reviewed or is a customer. */
async function hasRisen(tx: Transaction, event: SubjectEvent<'assessment.changed'>): Promise<boolean> {
  const { fromLevel, toLevel } = event;
  if (fromLevel === null || LEVELS.indexOf(toLevel) <= LEVELS.indexOf(fromLevel)) return false;
  return ['review', 'customer'].includes((await stageOf(tx, event)) ?? '');
}

/** Returns the record that a case is opened for. Events name records by texts, which the database made as ids. */
const linkTo = (kind: NonNullable<CaseCause['link']>['kind'], id: string, parentId: string | null = null) => ({
  kind,
  id: id as Uuid,
  parentId: parentId as Uuid | null,
});

/** Returns whether people can still judge a subject: from the draft until the relationship ends. */
async function isOpenToJudgement(tx: Transaction, event: OfSubject): Promise<boolean> {
  return (await stageOf(tx, event)) !== null;
}

/** Highest number of differences that one answer of a registry links to a case. A person sees all of them. */
const MOST_DIFFERENCES = 20;

/**
 * A new alert joins the open case about alerts of the applicant, or the open review of the business; only an escalation
 * opens one. A confirmed hit opens or joins a case, and so do an inconclusive verification and a level of risk that
 * rises; the first level of an applicant does not. Grave differences between the registry and what is declared of a
 * business, and a power that has expired, open or join a case about the business. A screening with open hits joins the
 * open case about hits, because its resolution must consider them. The cases of a member who leaves are returned by the
 * periodic work, because that member's event is published in a transaction of the platform's role, which may neither
 * change cases nor queue tasks.
 */
export const caseListeners: readonly SubjectListener<Heard>[] = [
  {
    event: 'alert.raised',
    hear: (tx, event) =>
      follow(tx, event, () =>
        joinOpen(
          tx,
          causeOf(event, {
            type: event.subject.kind === 'business' ? 'business_review' : 'monitoring_alert',
            queue: QUEUE_OF[event.severity],
            openedReason: 'alert_escalated',
            link: linkTo('alert', event.alertId),
          }),
        ),
      ),
  },
  {
    event: 'assessment.changed',
    hear: (tx, event) =>
      follow(tx, event, async () =>
        (await hasRisen(tx, event))
          ? openOrJoin(
              tx,
              causeOf(event, {
                type: 'risk_increase',
                queue: QUEUE_OF_LEVEL[event.toLevel],
                openedReason: 'risk_increased',
                link: linkTo('assessment', event.assessmentId),
              }),
            )
          : null,
      ),
  },
  {
    event: 'hit.confirmed',
    hear: (tx, event) =>
      follow(tx, event, async () =>
        openOrJoin(tx, {
          ...causeOf(event, {
            type: 'screening_hit',
            queue: 'critical',
            openedReason: 'hit_confirmed',
            link: linkTo('hit', event.hitId, event.screeningId),
          }),
          freezeDueAt: await freezeDueOfHit(tx, event),
        }),
      ),
  },
  {
    event: 'screening.completed',
    hear: (tx, event) =>
      follow(tx, event, () =>
        event.result === 'open_hits'
          ? joinOpen(
              tx,
              causeOf(event, {
                type: 'screening_hit',
                queue: 'high',
                openedReason: 'hit_confirmed',
                link: null,
              }),
            )
          : Promise.resolve(null),
      ),
  },
  {
    event: 'information.requested',
    hear: async (tx, { subject, at }) => {
      for (const record of await lockCasesOf(tx, subject)) await stopClock(tx, record, at);
    },
  },
  {
    event: 'subject.submitted',
    hear: async (tx, { subject, at }) => {
      for (const record of await lockCasesOf(tx, subject)) await resumeClock(tx, record, at);
    },
  },
  {
    event: 'power.expired',
    hear: (tx, event) =>
      follow(tx, event, async () =>
        (await isOpenToJudgement(tx, event))
          ? openOrJoin(
              tx,
              causeOf(event, {
                type: 'business_review',
                queue: 'normal',
                openedReason: 'power_expired',
                link: linkTo('power', event.powerId),
              }),
            )
          : null,
      ),
  },
  {
    event: 'registry.differs',
    hear: async (tx, event) => {
      if (!(await isOpenToJudgement(tx, event))) return;
      for (const id of event.differenceIds.slice(0, MOST_DIFFERENCES))
        await follow(tx, event, () =>
          openOrJoin(
            tx,
            causeOf(event, {
              type: 'business_review',
              queue: 'high',
              openedReason: 'registry_differs',
              link: linkTo('registry_difference', id),
            }),
          ),
        );
    },
  },
  {
    event: 'verification.final',
    hear: (tx, event) =>
      follow(tx, event, async () =>
        event.status === 'inconclusive' && (await isOpenToJudgement(tx, event))
          ? openOrJoin(
              tx,
              causeOf(event, {
                type: 'application_review',
                queue: 'normal',
                openedReason: 'check_inconclusive',
                link: linkTo('verification', event.verificationId),
              }),
            )
          : null,
      ),
  },
];
