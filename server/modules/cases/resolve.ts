import { createHash } from 'node:crypto';
import type { BusinessTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import { operations } from '../../contract/generated/operations.ts';
import { actorOf } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Body, Context, ValidPart } from '../../request/handler.ts';
import type { Access } from '../../request/lookup.ts';
import { assertMatch } from '../../request/preconditions.ts';
import type { BlindIndex } from '../../rules/blind-index.ts';
import { reasonFaults } from '../../rules/reasons.ts';
import { namedSubject, subjectNamedBy } from '../../rules/subject.ts';
import { subjectMembers } from '../../rules/subject-rows.ts';
import { readStructure, statesOf } from '../businesses/index.ts';
import { decisionBodyFaults } from '../decisions/index.ts';
import { requestReview } from '../second-review/index.ts';
import { sealedRow, sealingKey } from '../subject-keys/index.ts';
import { acceptFound, resolveAlertsOfCase } from '../subscriptions/index.ts';
import { type CaseSubject, decide, lockSubject } from './case-subject.ts';
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

/** A locked case with its locked subject. */
export interface Held {
  readonly record: CaseRecord;
  readonly subject: CaseSubject;
}

/** Locks the subject of a case and then the case, in the order in which everything is locked. */
export async function holdCase(ctx: Access, caseId: string, ifMatch: string | undefined): Promise<Held> {
  const found = await lookup(ctx).reviewCase(caseId).forChangeWithoutLock();
  const subject = await lockSubject(ctx, subjectNamedBy(found));
  const record = await lookup(ctx).reviewCase(caseId).forChange();
  assertMatch(ifMatch, record.version);
  return { record, subject };
}

/** Resolves a case, or proposes its resolution for a second review, with the decision that it may carry. */
export async function resolveCase(ctx: Context<'resolveCase'>, index: BlindIndex): Promise<CaseResolution> {
  const { tx, body, principal, timeIn } = ctx;
  const errors = resolutionFaults(body);
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
  const held = await holdCase(ctx, ctx.params.caseId, ctx.headers['if-match']);
  const { record, subject } = held;
  assertStep('resolveCase', record.status);
  if (principal.kind === 'user' && record.type === 'quality_review')
    await assertOtherOfficer(tx, record, principal.userId);
  const file = await readCaseFile(tx, record, subject);
  if (body.evidenceDigest !== file.evidenceDigest)
    throw new Problem('evidence_changed', { currentDigest: file.evidenceDigest });
  assertDone(record, file, body.outcome);
  const reasons = fourEyesReasons(record, file, body.outcome);
  if (reasons.length > 0 && principal.kind !== 'user') throw new Problem('human_required');
  const decided =
    body.decision === undefined || body.decision === null
      ? null
      : await decide(ctx, index, subject, { input: body.decision, moreReasons: reasons.length > 0 ? ['case'] : [] });
  const allReasons = [...reasons, ...(decided?.status === 'pending_review' ? ['decision'] : [])];
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
    decisionId: decided?.id ?? null,
    madeBy: actorOf(principal),
    reviewedBy: null,
    reviewNote: null,
    createdAt: at.toISOString(),
    effectiveAt: isPending ? null : at.toISOString(),
  };
  const { id: caseId, environment } = record;
  const about = subjectNamedBy(record);
  const key = await sealingKey(tx, { type: about.kind, id: about.id }, { environment, now: at });
  await insertResolution(tx, {
    ...sealedRow(caseResolution, resolution, key),
    environment,
    caseId,
    ...subjectMembers(about),
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
      ...namedSubject(record),
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
  { ofSubject }: CaseFile,
  outcome: CaseResolution['outcome'],
): void {
  const missingRequired = checklist.filter(({ required, doneAt }) => required && doneAt === null).map(({ key }) => key);
  if (missingRequired.length > 0) throw new Problem('checklist_incomplete', { missingRequired });
  const open = ofSubject.openHits;
  if (type === 'screening_hit' && (outcome === 'cleared' || outcome === 'false_positive') && open > 0)
    throw new Problem('checks_incomplete', { detail: `The newest screening has ${open} open hits.`, items: [] });
}

/** Outcomes that two people must agree on. */
const SERIOUS: readonly string[] = ['confirmed_risk', 'exit_relationship'];

/** Returns why a resolution needs a second person; none if one person suffices. */
function fourEyesReasons({ links }: CaseRecord, { ofSubject }: CaseFile, outcome: CaseResolution['outcome']): string[] {
  const { onConfirmedHit } = ofSubject.policy.rules.fourEyes;
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
 * Resolves a case whose resolution has taken effect: its escalated alerts are resolved with it, the states that they
 * have found are accepted, and a share of the cases of its type is looked at by a second officer. The caller holds the
 * lock on the subject.
 */
export async function takeEffect(
  tx: Transaction,
  audit: CaseAudit<'case.resolved' | 'case.opened'>,
  record: CaseRecord,
  { resolution: { id: resolutionId, outcome, reasonCodes }, at }: Effect,
): Promise<void> {
  const { id, environment, type, queue } = record;
  const change = { status: 'resolved', resolvedAt: at.toISOString(), snoozedUntil: null } as const;
  const after = await saveCase(tx, record, change, at);
  for (const { businessId, ...found } of await resolveAlertsOfCase(tx, id))
    if (businessId !== null)
      await acceptFound(tx, found, { states: statesOf(await readStructure(tx, businessId)), at });
  audit('case.resolved', aboutCase(after), {
    ...namedSubject(record),
    resolutionId,
    outcome,
    reasonCodes,
  });
  if (type === 'quality_review' || !isSampled(resolutionId, qualityPercent(await readCaseRules(tx), type))) return;
  const joined = await openOrJoin(tx, {
    environment,
    subject: subjectNamedBy(record),
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
