import { createHash } from 'node:crypto';
import type { BusinessTime } from '../../base/time.ts';
import { uuidv7, type Uuid } from '../../base/uuid.ts';
import { operations } from '../../contract/generated/operations.ts';
import { actorOf } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Body, Context, ValidPart } from '../../request/handler.ts';
import type { Access } from '../../request/lookup.ts';
import { assertMatch } from '../../request/preconditions.ts';
import type { BlindIndex } from '../../rules/blind-index.ts';
import { reasonFaults } from '../../rules/reasons.ts';
import { type ApplicationRecord, auditDecided, type ChangeRequest, decideApplication } from '../applications/index.ts';
import { decisionBodyFaults } from '../decisions/index.ts';
import { requestReview } from '../second-review/index.ts';
import { sealedRow, sealingKey } from '../subject-keys/index.ts';
import { resolveAlertsOfCase } from '../subscriptions/index.ts';
import { aboutCase, auditJoined, type CaseAudit } from './audit-cases.ts';
import { lookup } from './lookup.ts';
import { CASES, openOrJoin } from './open-case.ts';
import { conflictsOf } from './people-store.ts';
import { qualityPercent, readCaseRules } from './queues.ts';
import { type CaseFile, readCaseFile } from './read-case.ts';
import { type CaseResolution, caseResolution, insertResolution } from './resolution-store.ts';
import { type CaseRecord, type CaseStatus, saveCase } from './store.ts';

type ResolutionBody = Body<'resolveCase'>;
type Step = 'resolveCase' | 'reviewCaseResolution' | 'reopenCase';
const STEPS: readonly Step[] = ['resolveCase', 'reviewCaseResolution', 'reopenCase'];

/** Lists the errors of a resolution that no schema can express. */
export function resolutionFaults({ outcome, reasonCodes, decision }: ValidPart<ResolutionBody>): FieldError[] {
  // Reasons that the schema refuses are holes in the list, which `flatMap` leaves out.
  const reasons = Object.fromEntries((reasonCodes ?? []).flatMap((code, at) => [[`/reasonCodes/${at}`, code]]));
  const ofDecision = decision === undefined || decision === null ? [] : decisionBodyFaults(decision);
  return [
    ...reasonFaults('case', outcome, reasons),
    ...ofDecision.map((fault) => ({ ...fault, pointer: `/decision${fault.pointer ?? ''}` })),
  ];
}

/** Throws a 409 problem if the operation may not start from the status of the case. */
export function assertStep(step: Step, status: CaseStatus): void {
  const from = (of: Step): readonly string[] => operations[of].transitions.from;
  if (from(step).includes(status)) return;
  const allowed = STEPS.filter((other) => from(other).includes(status)).flatMap(
    (other): readonly string[] => operations[other].transitions.to,
  );
  throw new Problem('invalid_state_transition', { currentStatus: status, allowedTransitions: [...new Set(allowed)] });
}

/** A locked case with its locked application. */
export interface Held {
  readonly record: CaseRecord;
  readonly application: ApplicationRecord;
}

/** Locks the application of a case and then the case, in the order in which everything is locked. */
export async function holdCase(ctx: Access, caseId: string, ifMatch: string | undefined): Promise<Held> {
  const { applicationId } = await lookup(ctx).reviewCase(caseId).forChangeWithoutLock();
  const application = await lookup(ctx).application(applicationId).forChange();
  const record = await lookup(ctx).reviewCase(caseId).forChange();
  assertMatch(ifMatch, record.version);
  return { record, application };
}

type DecidingContext = Omit<ChangeRequest, 'params' | 'headers'>;

/** Returns the request of a change of the application of a case. `If-Match` names the version of the case only. */
export function requestAbout(ctx: DecidingContext, applicationId: Uuid): ChangeRequest {
  const { tx, visible, sandboxEnabled, setResourceEnvironment, principal, lookups, now, timeIn } = ctx;
  return {
    tx,
    visible,
    sandboxEnabled,
    setResourceEnvironment,
    principal,
    lookups,
    now,
    timeIn,
    params: { applicationId },
    headers: {},
  };
}

/** Resolves a case, or proposes its resolution for a second review, with the decision that it may carry. */
export async function resolveCase(ctx: Context<'resolveCase'>, index: BlindIndex): Promise<CaseResolution> {
  const { tx, body, principal, timeIn } = ctx;
  const errors = resolutionFaults(body);
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
  const held = await holdCase(ctx, ctx.params.caseId, ctx.headers['if-match']);
  const { record, application } = held;
  assertStep('resolveCase', record.status);
  if (principal.kind === 'user' && record.type === 'quality_review')
    await assertOtherOfficer(tx, record, principal.userId);
  const file = await readCaseFile(tx, record, application);
  if (body.evidenceDigest !== file.evidenceDigest)
    throw new Problem('evidence_changed', { currentDigest: file.evidenceDigest });
  assertDone(record, file, body.outcome);
  const reasons = fourEyesReasons(record, file, body.outcome);
  if (reasons.length > 0 && principal.kind !== 'user') throw new Problem('human_required');
  const decided =
    body.decision === undefined || body.decision === null
      ? null
      : await decideApplication(
          requestAbout(ctx, application.id),
          index,
          body.decision,
          reasons.length > 0 ? ['case'] : [],
        );
  if (decided !== null) auditDecided(ctx.audit, decided);
  const allReasons = [...reasons, ...(decided?.decision.status === 'pending_review' ? ['decision'] : [])];
  const at = timeIn(record.environment);
  const isPending = allReasons.length > 0;
  const resolution: CaseResolution = {
    id: uuidv7(),
    outcome: body.outcome,
    reasonCodes: body.reasonCodes,
    note: body.note,
    status: isPending ? 'pending_review' : 'effective',
    fourEyesReasons: allReasons,
    evidenceDigest: file.evidenceDigest,
    decisionId: decided?.decision.id ?? null,
    madeBy: actorOf(principal),
    reviewedBy: null,
    reviewNote: null,
    createdAt: at.toISOString(),
    effectiveAt: isPending ? null : at.toISOString(),
  };
  const { id: caseId, environment, applicationId } = record;
  const key = await sealingKey(tx, { type: 'application', id: applicationId }, { environment, now: at });
  await insertResolution(tx, {
    ...sealedRow(caseResolution, resolution, key),
    environment,
    caseId,
    applicationId,
  });
  const { outcome, reasonCodes } = resolution;
  if (isPending) {
    await requestReview(tx, {
      environment,
      subject: { type: 'case_resolution', id: resolution.id },
      digest: file.evidenceDigest,
      maker: principal,
      now: at,
    });
    const proposed = await saveCase(tx, record, { status: 'pending_approval' }, at);
    ctx.audit('case.resolution_proposed', aboutCase(proposed), {
      applicationId,
      resolutionId: resolution.id,
      outcome,
      reasonCodes,
    });
    return resolution;
  }
  await takeEffect(tx, ctx.audit, record, { resolution, at });
  return resolution;
}

/** Rejects a quality review by somebody who made or reviewed the resolution that is looked at. */
async function assertOtherOfficer(tx: Transaction, { id }: CaseRecord, userId: string): Promise<void> {
  if ((await conflictsOf(tx, [id], [userId])).size > 0) throw new Problem('self_approval_forbidden');
}

function assertDone(
  { checklist, type }: CaseRecord,
  { ofApplication }: CaseFile,
  outcome: CaseResolution['outcome'],
): void {
  const missingRequired = checklist.filter(({ required, doneAt }) => required && doneAt === null).map(({ key }) => key);
  if (missingRequired.length > 0) throw new Problem('checklist_incomplete', { missingRequired });
  const open = ofApplication.screening?.openHitCount ?? 0;
  if (type === 'screening_hit' && (outcome === 'cleared' || outcome === 'false_positive') && open > 0)
    throw new Problem('checks_incomplete', { detail: `The newest screening has ${open} open hits.`, items: [] });
}

/** Outcomes that two people must agree on. */
const SERIOUS: readonly string[] = ['confirmed_risk', 'exit_relationship'];

/** Returns why a resolution needs a second person; none if one person suffices. */
function fourEyesReasons(
  { links }: CaseRecord,
  { ofApplication }: CaseFile,
  outcome: CaseResolution['outcome'],
): string[] {
  const { onConfirmedHit } = ofApplication.policy.rules.fourEyes;
  return [
    ...(SERIOUS.includes(outcome) ? [`outcome_${outcome}`] : []),
    ...(onConfirmedHit && links.some(({ kind }) => kind === 'hit') ? ['hit_confirmed'] : []),
  ];
}

interface Effect {
  readonly resolution: Pick<CaseResolution, 'id' | 'outcome' | 'reasonCodes'>;
  readonly at: BusinessTime;
}

/**
 * Resolves a case whose resolution has taken effect: its escalated alerts are resolved with it, and a share of the
 * cases of its type is looked at by a second officer.
 */
export async function takeEffect(
  tx: Transaction,
  audit: CaseAudit<'case.resolved' | 'case.opened'>,
  record: CaseRecord,
  { resolution: { id: resolutionId, outcome, reasonCodes }, at }: Effect,
): Promise<void> {
  const { id, environment, applicationId, type, queue } = record;
  const change = { status: 'resolved', resolvedAt: at.toISOString(), snoozedUntil: null } as const;
  const after = await saveCase(tx, record, change, at);
  resolveAlertsOfCase(tx, id);
  audit('case.resolved', aboutCase(after), {
    applicationId,
    resolutionId,
    outcome,
    reasonCodes,
  });
  if (type === 'quality_review' || !isSampled(resolutionId, qualityPercent(await readCaseRules(tx), type))) return;
  const joined = await openOrJoin(tx, {
    environment,
    applicationId,
    type: 'quality_review',
    queue,
    openedReason: 'quality_sample',
    link: { kind: 'reviewed_case', id, parentId: null },
    relatedCaseIds: [id],
    by: CASES,
    at,
  });
  if (joined.outcome === 'opened')
    auditJoined(audit as CaseAudit<'case.opened' | 'case.joined' | 'case.woken'>, joined);
}

const SHARES = 100;

/** Chooses a share of resolutions by a hash of their ids, which nobody knows before. */
export function isSampled(resolutionId: string, percent: number): boolean {
  return createHash('sha256').update(resolutionId).digest().readUInt32BE(0) % SHARES < percent;
}
