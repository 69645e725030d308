import { appendAudit } from '../../audit/chain.ts';
import type { components } from '../../contract/generated/types.ts';
import type { RealTime } from '../../base/time.ts';
import type { Transaction } from '../../database/index.ts';
import { namedSubject, type Subject } from '../../rules/subject.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import type { TaskKind } from '../../tasks/task.ts';
import type { SubjectEvent, SubjectListener, When } from '../subject-events/index.ts';
import { type Assessable, lockAssessable } from './assessable.ts';
import { assess } from './assess.ts';
import type { Assessment } from './assessment-store.ts';
import { ASSESS, queueAssessment, queueCompaniesOf } from './queue.ts';

const ACTOR = {
  type: 'system',
  id: ASSESS.application,
  display: 'Risk assessment',
  impersonatorId: null,
} as const;

/** Members of an assessment that the audit log names. */
export const auditedMembers = ({ applicationId, businessId, modelId, level, effectiveLevel, trigger }: Assessment) => ({
  ...namedSubject({ applicationId, businessId }),
  modelId,
  level,
  effectiveLevel,
  trigger,
});

/** Writes that the service has assessed a subject. */
function auditAssessed(tx: Transaction, made: Assessment, now: RealTime): void {
  appendAudit(tx, {
    occurredAt: now.toISOString(),
    environment: made.environment,
    action: 'risk.assessed',
    outcome: 'success',
    actor: ACTOR,
    resource: { type: 'risk_assessment', id: made.id },
    changes: Object.entries(auditedMembers(made)).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
  });
}

/**
 * Assesses a locked subject without a person. Returns whether the model could score it. Drafts are not assessed:
 * their facts are incomplete.
 */
export async function assessRecord(
  tx: Transaction,
  assessable: Assessable,
  trigger: components['schemas']['RiskTrigger'],
  when: When,
): Promise<boolean> {
  if (assessable.record.status === 'draft') return true;
  const assessed = await assess(tx, assessable, trigger, when);
  if (assessed.is === 'new') auditAssessed(tx, assessed.assessment, when.now);
  return assessed.is !== 'unscorable';
}

/** Locks and assesses a subject. Does nothing if it is erased or a reset of the sandbox has removed it. */
export async function assessById(
  tx: Transaction,
  subject: Subject,
  trigger: components['schemas']['RiskTrigger'],
  now: RealTime,
): Promise<boolean> {
  const found = await lockAssessable(tx, subject);
  if (found === null) return true;
  return assessRecord(tx, found, trigger, { at: await timeIn(tx, found.record.environment, now), now });
}

const taskOf = (kind: Subject['kind']): TaskKind<unknown> => ({
  name: ASSESS[kind],
  step: async ({ tx, subjectId, now }) => {
    await assessById(tx, { kind, id: subjectId }, 'event', now);
    return null;
  },
  // The next event, or the next re-assessment of all subjects, assesses the subject.
  giveUp: () => Promise.resolve(),
});

/** Assessments of a subject after something happened to it. */
export const assessTasks = [taskOf('application'), taskOf('business')];

type Heard =
  | 'screening.completed'
  | 'hit.decided'
  | 'hits.reopened'
  | 'alert.raised'
  | 'ownership.replaced'
  | 'power.changed'
  | 'power.expired'
  | 'registry.answered'
  | 'requirement.attested'
  | 'subject.changed'
  | 'verification.final';

const queue = (tx: Transaction, { subject, now }: SubjectEvent<Heard>): Promise<void> =>
  queueAssessment(tx, subject, now);

/**
 * Assesses a subject in the transaction that submits it, because the requirements and the decision depend on its level.
 * Other events queue a task, so that many events of one moment are one assessment.
 */
const assessSubmitted = async (tx: Transaction, event: SubjectEvent<'subject.submitted'>): Promise<void> => {
  const { subject, at, now } = event;
  const found = await lockAssessable(tx, subject);
  if (found !== null) await assessRecord(tx, found, 'submit', { at, now });
};

export const assessListeners: readonly SubjectListener<Heard | 'subject.submitted'>[] = [
  { event: 'subject.submitted', hear: assessSubmitted },
  { event: 'screening.completed', hear: queue },
  { event: 'hit.decided', hear: queue },
  { event: 'hit.decided', hear: (tx, { subject, now }) => queueCompaniesOf(tx, subject, now) },
  { event: 'hits.reopened', hear: queue },
  { event: 'alert.raised', hear: queue },
  { event: 'ownership.replaced', hear: queue },
  { event: 'power.changed', hear: queue },
  { event: 'power.expired', hear: queue },
  { event: 'registry.answered', hear: queue },
  { event: 'requirement.attested', hear: queue },
  { event: 'subject.changed', hear: queue },
  { event: 'verification.final', hear: queue },
];
