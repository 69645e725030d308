import { appendAudit } from '../../audit/chain.ts';
import type { components } from '../../contract/generated/types.ts';
import type { RealTime } from '../../base/time.ts';
import type { Transaction } from '../../database/index.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import { enqueueTaskOnce, type TaskKind } from '../../tasks/task.ts';
import { type ApplicationRecord, lockApplication } from '../applications/index.ts';
import type { SubjectEvent, SubjectListener, When } from '../subject-events/index.ts';
import { assess } from './assess.ts';
import type { Assessment } from './assessment-store.ts';

const ACTOR = {
  type: 'system',
  id: 'risk.assess',
  display: 'Risk assessment',
  impersonatorId: null,
} as const;

/** Members of an assessment that the audit log names. */
export const auditedMembers = ({ applicationId, modelId, level, effectiveLevel, trigger }: Assessment) => ({
  applicationId,
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
 * Assesses a locked application without a person. Returns whether the model could score it. Drafts are not assessed:
 * their facts are incomplete.
 */
export async function assessRecord(
  tx: Transaction,
  record: ApplicationRecord,
  trigger: components['schemas']['RiskTrigger'],
  when: When,
): Promise<boolean> {
  if (record.status === 'draft') return true;
  const assessed = await assess(tx, record, trigger, when);
  if (assessed.is === 'new') auditAssessed(tx, assessed.assessment, when.now);
  return assessed.is !== 'unscorable';
}

/** Locks and assesses an application. Does nothing if it is erased or a reset of the sandbox has removed it. */
export async function assessById(
  tx: Transaction,
  applicationId: string,
  trigger: components['schemas']['RiskTrigger'],
  now: RealTime,
): Promise<boolean> {
  const found = await lockApplication(tx, { tenantId: tx.tenantId!, id: applicationId });
  if (found === null || found.erasedAt !== null) return true;
  const { erasedAt: _, ...record } = found;
  return assessRecord(tx, record, trigger, { at: await timeIn(tx, record.environment, now), now });
}

/** Assesses an application after something happened to it. */
export const assessTask: TaskKind<unknown> = {
  name: ACTOR.id,
  step: async ({ tx, subjectId, now }) => {
    await assessById(tx, subjectId, 'event', now);
    return null;
  },
  // The next event, or the next re-assessment of all subjects, assesses the subject.
  giveUp: () => Promise.resolve(),
};

type Heard =
  | 'screening.completed'
  | 'hit.decided'
  | 'hits.reopened'
  | 'alert.raised'
  | 'requirement.attested'
  | 'verification.final';

const queue = async (tx: Transaction, { subject, now }: SubjectEvent<Heard>): Promise<void> => {
  if (subject.kind === 'application') await enqueueTaskOnce(tx, assessTask, subject.id, now);
};

/**
 * Assesses an application in the transaction that submits it, because the requirements and the decision depend on its
 * level. Other events queue a task, so that many events of one moment are one assessment.
 */
const assessSubmitted = async (tx: Transaction, event: SubjectEvent<'subject.submitted'>): Promise<void> => {
  const { subject, at, now } = event;
  if (subject.kind !== 'application') return;
  const found = await lockApplication(tx, { tenantId: tx.tenantId!, id: subject.id });
  if (found === null || found.erasedAt !== null) return;
  const { erasedAt: _, ...record } = found;
  await assessRecord(tx, record, 'submit', { at, now });
};

export const assessListeners: readonly SubjectListener<Heard | 'subject.submitted'>[] = [
  { event: 'subject.submitted', hear: assessSubmitted },
  { event: 'screening.completed', hear: queue },
  { event: 'hit.decided', hear: queue },
  { event: 'hits.reopened', hear: queue },
  { event: 'alert.raised', hear: queue },
  { event: 'requirement.attested', hear: queue },
  { event: 'verification.final', hear: queue },
];
