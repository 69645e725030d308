/**
 * Approves applications that are clear by the tenant's policy, without a person. `considerApproval` and
 * `considerScreened` queue the task; the handlers of this module and the module automatic-approval call them, and the
 * layer tasks runs it. Must never approve what a person has touched or what is uncertain: `criteriaOf` returns null for
 * every doubt.
 */
import { addMilliseconds, type BusinessTime, type RealTime } from '../../../base/time.ts';
import { type Uuid, uuidv7 } from '../../../base/uuid.ts';
import { appendAudit } from '../../../audit/chain.ts';
import type { Secrets } from '../../../base/secrets.ts';
import type { Transaction } from '../../../database/index.ts';
import { timeIn } from '../../../tasks/business-time-store.ts';
import { enqueueTask, type TaskKind } from '../../../tasks/task.ts';
import { isClearCase } from '../../../providers/personas/index.ts';
import { BlindIndex } from '../../../rules/blind-index.ts';
import { calendarDate } from '../../../rules/brazilian-calendar.ts';
import { evidenceDigest } from '../../../rules/evidence.ts';
import { unlessErased } from '../../../rules/subject.ts';
import { type Decision, hasDecision, isMet, publishEffective, recordDecision } from '../../decisions/index.ts';
import { readSettings } from '../../tenant-settings/index.ts';
import { manifestOf } from '../evidence/evidence.ts';
import { decimalText } from '../../../risk/decimal.ts';
import { assessedOf, isScreeningClear } from '../evidence/requirement-rules.ts';
import { requirementsOf } from '../evidence/requirements.ts';
import { followStatus } from '../life/monitoring.ts';
import { endApprovalRenewedBy, RENEWED } from '../life/renewals.ts';
import { type ApplicationRecord, changedStatus, nextVersion, subjectOf } from '../record/application.ts';
import { writingDelay } from '../record/list-store.ts';
import type { Contents } from '../record/present.ts';
import { readContents } from '../record/read-applications.ts';
import { lockApplication, updateApplication } from '../record/store.ts';
import { decided, fourEyesReasons, isLowRisk, reasonsOfApproval } from './decisions.ts';
import { signalsOf } from './signals.ts';

const ACTOR = { type: 'system', id: 'applications.auto_approve', display: 'Automatic approval' } as const;
/**
 * Status reasons of an application that no person has reviewed yet. Only such applications are approved automatically.
 */
const UNREVIEWED: readonly (string | null)[] = ['submitted', 'information_provided'];

/**
 * Approves a clear case without a person, if the tenant's policy allows that. The task is queued when the application
 * is submitted or one of its screenings is clear, and examines the case as it is when the task runs.
 */
export const automaticApprovalTask: TaskKind<{ readonly secrets: Secrets }> = {
  name: 'applications.auto_approve',
  step: async ({ tx, subjectId, now }, { secrets }) => {
    const key = { tenantId: tx.tenantId!, applicationId: subjectId };
    const [found, contents, delay] = await Promise.all([
      lockApplication(tx, { tenantId: key.tenantId, id: subjectId }),
      readContents(tx, key),
      writingDelay(tx, now),
    ]);
    // A reset of the sandbox or an erasure has removed the application in the meantime.
    const record = unlessErased(found);
    if (record === null) return null;
    const businessTime = addMilliseconds(await timeIn(tx, record.environment, now), delay);
    const criteria = criteriaOf(record, contents, businessTime);
    const index = new BlindIndex(secrets.deriveKey('blind-index'));
    if (criteria !== null)
      await approve(tx, record, contents, {
        criteria,
        businessTime,
        now,
        index,
      });
    return null;
  },
  // A person decides, as without automatic approval.
  giveUp: () => Promise.resolve(),
};

/** Queues the task that approves a clear case, if the policy allows automatic approval. */
export function considerApproval(
  tx: Transaction,
  { id }: { readonly id: string },
  { rules }: { readonly rules: Pick<Contents['policy']['rules'], 'autoApprove'> },
  now: RealTime,
): void {
  if (rules.autoApprove) enqueueTask(tx, automaticApprovalTask, id, now);
}

/**
 * Queues the same task after a screening without hits, which may have completed the last check that the policy demands.
 * Monitoring screens thousands of customers who have been decided about, and after a decision no case is clear.
 */
export async function considerScreened(tx: Transaction, applicationId: Uuid, now: RealTime): Promise<void> {
  const { decisionPolicy } = await readSettings(tx, tx.tenantId!);
  if (decisionPolicy.autoApprove && !(await hasDecision(tx, { kind: 'application', id: applicationId })))
    considerApproval(tx, { id: applicationId }, { rules: decisionPolicy }, now);
}

/**
 * Returns the criteria by which a case is clear; null if a person must decide: because a person has already acted on
 * the case, the risk is not low, or something is open, unusual or not established.
 */
export function criteriaOf(
  record: ApplicationRecord,
  contents: Pick<
    Contents,
    | 'documents'
    | 'consents'
    | 'waivers'
    | 'attestations'
    | 'verifications'
    | 'screening'
    | 'risk'
    | 'decisions'
    | 'others'
    | 'policy'
  >,
  now: BusinessTime,
): string[] | null {
  const {
    documents,
    decisions,
    risk,
    policy: { rules },
  } = contents;
  const {
    status,
    statusReason,
    level,
    environment,
    applicant: { taxId },
  } = record;
  if (!rules.autoApprove || status !== 'in_review' || !UNREVIEWED.includes(statusReason) || decisions.length > 0)
    return null;
  // Personas carry their outcome, so the result of their checks is known in advance.
  if (environment === 'sandbox' && taxId !== null && !isClearCase(taxId.value)) return null;
  if (risk === null || !isLowRisk(record, contents)) return null;
  if (fourEyesReasons(record, rules, contents).length > 0) return null;
  if (documents.some(({ signals }) => signals.length > 0) || signalsOf(record, contents).length > 0) return null;
  const assessed = assessedOf(record, contents, calendarDate(now));
  // An applicant who was not screened is never approved automatically, whatever the policy demands.
  if (!isScreeningClear(assessed)) return null;
  const { items } = requirementsOf(assessed);
  // Waivers and attestations are for people to judge.
  if (!items.every(isMet) || reasonsOfApproval(record, contents, items).length > 0) return null;
  return [
    `level ${level}`,
    `the risk is low: ${decimalText(BigInt(risk.score))} by version ${risk.modelNumber} of the risk model`,
    `met: ${items.map(({ key }) => key).join(', ')}`,
    'the screening is clear',
    'no public office is declared',
    'no document is unusual',
  ];
}

interface Approval {
  readonly criteria: readonly string[];
  /** Time by the clock of the environment; `now` is the real time. */
  readonly businessTime: BusinessTime;
  readonly now: RealTime;
  readonly index: BlindIndex;
}

async function approve(
  tx: Transaction,
  before: ApplicationRecord,
  contents: Contents,
  { criteria, businessTime, now, index }: Approval,
): Promise<void> {
  const {
    policy: { version },
  } = contents;
  const tenantId = tx.tenantId!;
  const manifest = manifestOf(before, contents);
  const at = businessTime.toISOString();
  const decision: Decision = {
    id: uuidv7(),
    outcome: 'approve',
    rejectType: null,
    reasonCodes: ['low_risk'],
    applicantMessage: null,
    status: 'effective',
    fourEyesReasons: [],
    evidenceDigest: evidenceDigest(manifest),
    policyVersion: version,
    riskAssessmentId: contents.risk?.id ?? null,
    // LGPD, art. 20, § 1º: the applicant may ask for the criteria of an automated decision.
    note: `Approved without a person by version ${version} of the decision policy. Criteria: ${criteria.join('; ')}.`,
    madeBy: ACTOR,
    reviewedBy: null,
    reviewNote: null,
    createdAt: at,
    effectiveAt: at,
  };
  await recordDecision(tx, decision, manifest, businessTime);
  const after = nextVersion(before, decided(before, decision, contents, businessTime), businessTime);
  await updateApplication(tx, tenantId, { before, after }, index);
  const when = { at: businessTime, now };
  await followStatus(tx, [after], when);
  const renewedId = await endApprovalRenewedBy(tx, after, when);
  await publishEffective(tx, { subject: subjectOf(after), environment: after.environment }, decision, when);
  const event = {
    occurredAt: now.toISOString(),
    environment: before.environment,
    actor: { ...ACTOR, impersonatorId: null },
    outcome: 'success',
  } as const;
  const changes = {
    applicationId: before.id,
    applicationStatus: after.status,
    outcome: decision.outcome,
    reasonCodes: decision.reasonCodes,
    policyVersion: version,
    criteria,
  };
  appendAudit(tx, {
    ...event,
    action: 'decision.auto_approved',
    resource: { type: 'decision', id: decision.id },
    changes: Object.entries(changes).map(([member, value]) => ({ op: 'add', path: `/${member}`, value })),
  });
  appendAudit(tx, {
    ...event,
    action: 'application.status_changed',
    resource: { type: 'application', id: before.id },
    changes: changedStatus(after),
  });
  if (renewedId === null) return;
  const renewed = { type: 'application', id: renewedId } as const;
  appendAudit(tx, { ...event, action: 'application.expired', resource: renewed });
  appendAudit(tx, {
    ...event,
    action: 'application.status_changed',
    resource: renewed,
    changes: changedStatus(RENEWED),
  });
}
