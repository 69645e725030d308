import type { KeyObject } from 'node:crypto';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf, type UserPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { BlindIndex } from '../../rules/blind-index.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import { evidenceChanges, evidenceDigest, type EvidenceManifest } from '../../rules/evidence.ts';
import { askForReview, review } from '../second-review/index.ts';
import { sealedRow, sealingKey } from '../subject-keys/index.ts';
import { type ApplicationRecord, assertTransition } from './application.ts';
import { beginChange, type ChangeRequest, commitChange } from './change-applications.ts';
import { type Decision, decision as decisionTable, endDecision, findDecidedManifest, insertDecision, sealedReviewNote } from './decision-store.ts';
import { assertApprovable, assertKnownReasons, assertMayDecide, decided, decisionBodyFaults, fourEyesReasons, reasonsOfApproval } from './decisions.ts';
import { manifestOf } from './evidence.ts';
import { followStatus } from './monitoring.ts';
import { EVIDENCE_CHANGED, subjectOf } from './pending-decision.ts';
import { endApprovalRenewedBy, RENEWED } from './renewals.ts';
import { assessedOf, requirementsOf } from './requirements.ts';
import { conflictsOf } from './signals.ts';

type Schemas = components['schemas'];

/** A decision, with the application that it was about as it is after it. */
interface Decided {
  readonly decision: Decision;
  readonly application: ApplicationRecord;
  /** The application whose approval was renewed by this one and has ended. */
  readonly renewedId: string | null;
}

/** Decides at once, or proposes it to a second person where the policy asks for one. */
export async function makeDecision(ctx: ChangeRequest, index: BlindIndex, given: Schemas['DecisionCreate']): Promise<Decided> {
  const { tx, principal } = ctx;
  const { before, contents, now } = await beginChange(ctx);
  const { policy: { version, rules } } = contents;
  assertTransition('createDecision', before.status);
  const faults = decisionBodyFaults(given);
  if (faults.length > 0) throw new Problem('validation_failed', { errors: faults });
  assertMayDecide(principal, before, contents.screening);
  assertKnownReasons(given.reasonCodes, rules);
  const manifest = manifestOf(before, contents);
  await assertRead(tx, given.evidenceDigest, manifest);
  assertApprovable(given.outcome, before, contents, now);
  const ofApproval = given.outcome === 'approve' ? reasonsOfApproval(before, contents, requirementsOf(assessedOf(before, contents, calendarDate(now))).items) : [];
  const reasons = [...fourEyesReasons(before, rules, contents.screening), ...ofApproval, ...conflictsOf(before, contents.others)];
  const isPending = reasons.length > 0;
  const decision: Decision = {
    id: uuidv7(), outcome: given.outcome, rejectType: given.rejectType ?? null, reasonCodes: given.reasonCodes, note: given.note, applicantMessage: given.applicantMessage ?? null,
    status: isPending ? 'pending_review' : 'effective', fourEyesReasons: reasons, evidenceDigest: given.evidenceDigest, policyVersion: version, madeBy: actorOf(principal),
    reviewedBy: null, reviewNote: null, createdAt: now.toISOString(), effectiveAt: isPending ? null : now.toISOString(),
  };
  insertDecision(tx, sealedRow(decisionTable, decision, await keyOf(tx, before, now)), { tenantId: principal.tenantId, applicationId: before.id, environment: before.environment, manifest });
  if (isPending) await askForReview(tx, { environment: before.environment, subject: subjectOf(decision), digest: decision.evidenceDigest, maker: principal, now });
  const after: ApplicationRecord = isPending ? { ...before, status: 'pending_approval', statusReason: 'second_review', statusNote: null } : decided(before, decision, rules, now);
  return { decision, ...await commitOutcome(ctx, index, before, after, now) };
}

/** An approval ends the one that it renews. */
async function commitOutcome(ctx: ChangeRequest, index: BlindIndex, before: ApplicationRecord, after: ApplicationRecord, now: Date): Promise<Omit<Decided, 'decision'>> {
  const application = await commitChange(ctx, index, before, after, now);
  const renewedId = await endApprovalRenewedBy(ctx.tx, application, now);
  if (renewedId !== null) await followStatus(ctx.tx, [{ ...application, ...RENEWED, id: renewedId }], { at: now, now: ctx.now });
  return { application, renewedId };
}

function keyOf(tx: Transaction, { id, environment }: ApplicationRecord, now: Date): Promise<KeyObject> {
  return sealingKey(tx, { type: 'application', id }, { environment, now });
}

/** Somebody decides about what they have read. */
async function assertRead(tx: Transaction, given: string, current: EvidenceManifest): Promise<void> {
  if (given !== evidenceDigest(current)) throw await evidenceChanged(tx, given, current);
}

/** What differs can be told if a decision rests on what was sent. */
async function evidenceChanged(tx: Transaction, given: string, current: EvidenceManifest): Promise<Problem> {
  const read = await findDecidedManifest(tx, { tenantId: tx.tenantId!, applicationId: current.subject.id, evidenceDigest: given });
  return new Problem('evidence_changed', { currentDigest: evidenceDigest(current), ...(read !== null && { changed: evidenceChanges(read, current) }) });
}

interface ReviewRequest extends ChangeRequest {
  readonly params: { readonly applicationId: string; readonly decisionId: string };
  readonly principal: UserPrincipal;
}

/** What a verdict came to. After a stale one the application is back in review, and the refusal is to be answered once that is kept. */
type Reviewed = Decided & ({ readonly outcome: 'confirmed' | 'returned' } | { readonly outcome: 'stale'; readonly refusal: Problem });

export async function reviewDecision(ctx: ReviewRequest, index: BlindIndex, { verdict, evidenceDigest: digest, note }: Schemas['DecisionReview']): Promise<Reviewed> {
  const { tx, principal: checker, params: { decisionId } } = ctx;
  const { before, contents, now } = await beginChange(ctx);
  const proposed = contents.decisions.find(({ id }) => id === decisionId);
  if (proposed === undefined) throw new Problem('not_found');
  const current = manifestOf(before, contents);
  // What ended it while the checker was reading is worth more to them than that it has ended.
  const isOvertaken = proposed.status === 'invalidated' && before.status === 'in_review' && proposed.evidenceDigest !== evidenceDigest(current);
  if (isOvertaken) throw await evidenceChanged(tx, proposed.evidenceDigest, current);
  assertTransition('reviewDecision', before.status);
  const sealedNote = sealedReviewNote(proposed.id, note, await keyOf(tx, before, now));
  const outcome = await review(tx, subjectOf(proposed), evidenceDigest(current), { verdict, digest, note: sealedNote, checker, now });
  switch (outcome) {
    case 'not_pending': throw new Problem('decision_not_pending');
    case 'unread': throw await evidenceChanged(tx, digest, current);
    case 'stale': {
      endDecision(tx, proposed.id, { status: 'invalidated', effectiveAt: null });
      const refusal = await evidenceChanged(tx, proposed.evidenceDigest, current);
      return { outcome, refusal, decision: { ...proposed, status: 'invalidated' }, ...await commitOutcome(ctx, index, before, { ...before, ...EVIDENCE_CHANGED, statusNote: null }, now) };
    }
    case 'returned': {
      endDecision(tx, proposed.id, { status: 'returned', effectiveAt: null });
      const decision: Decision = { ...proposed, status: 'returned', reviewedBy: actorOf(checker), reviewNote: note };
      return { outcome, decision, ...await commitOutcome(ctx, index, before, { ...before, status: 'in_review', statusReason: 'decision_returned', statusNote: null }, now) };
    }
    case 'confirmed': {
      assertApprovable(proposed.outcome, before, contents, now);
      const effectiveAt = now.toISOString();
      endDecision(tx, proposed.id, { status: 'effective', effectiveAt });
      const decision: Decision = { ...proposed, status: 'effective', effectiveAt, reviewedBy: actorOf(checker), reviewNote: note };
      return { outcome, decision, ...await commitOutcome(ctx, index, before, decided(before, decision, contents.policy.rules, now), now) };
    }
  }
}
