import type { BusinessTime } from '../../../base/time.ts';
import type { KeyObject } from 'node:crypto';
import { uuidv7 } from '../../../base/uuid.ts';
import type { components } from '../../../contract/generated/types.ts';
import { actorOf, type UserPrincipal } from '../../../contract/operation.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Transaction } from '../../../database/index.ts';
import type { BlindIndex } from '../../../rules/blind-index.ts';
import { calendarDate } from '../../../rules/brazilian-calendar.ts';
import { evidenceChanges, evidenceDigest, type EvidenceManifest } from '../../../rules/evidence.ts';
import { requestReview, review } from '../../second-review/index.ts';
import { sealedRow, sealingKey } from '../../subject-keys/index.ts';
import { manifestOf } from '../evidence/evidence.ts';
import { assessedOf } from '../evidence/requirement-rules.ts';
import { requirementsOf } from '../evidence/requirements.ts';
import { followStatus } from '../life/monitoring.ts';
import { endApprovalRenewedBy, RENEWED } from '../life/renewals.ts';
import { type ApplicationRecord, assertTransition } from '../record/application.ts';
import { beginChange, type PendingChange, type ChangeRequest, commitChange } from '../record/change-applications.ts';
import type { Contents } from '../record/present.ts';
import {
  type Decision,
  decision as decisionTable,
  endDecision,
  findDecidedManifest,
  insertDecision,
  sealedReviewNote,
} from './decision-store.ts';
import {
  assertApprovable,
  assertKnownReasons,
  assertMayDecide,
  decided,
  decisionBodyFaults,
  fourEyesReasons,
  reasonsOfApproval,
} from './decisions.ts';
import { EVIDENCE_CHANGED, subjectOf } from './pending-decision.ts';
import { conflictsOf } from './signals.ts';

type Schemas = components['schemas'];

/** A decision, and the application after the decision. */
interface Decided {
  readonly decision: Decision;
  readonly application: ApplicationRecord;
  /** Id of the application whose approval ended because this application renews it. */
  readonly renewedId: string | null;
}

/** Makes an effective decision, or proposes it for a second review if the policy or a conflict demands one. */
export async function makeDecision(
  ctx: ChangeRequest,
  index: BlindIndex,
  input: Schemas['DecisionCreate'],
): Promise<Decided> {
  const { tx, principal } = ctx;
  const begun = await beginChange(ctx);
  const { before, contents, now } = begun;
  const {
    policy: { version, rules },
  } = contents;
  assertTransition('createDecision', before.status);
  const faults = decisionBodyFaults(input);
  if (faults.length > 0) throw new Problem('validation_failed', { errors: faults });
  assertMayDecide(principal, before, contents.screening);
  assertKnownReasons(input.reasonCodes, rules);
  const manifest = manifestOf(before, contents);
  await assertCurrent(tx, input.evidenceDigest, manifest);
  assertApprovable(input.outcome, before, contents, now);
  const reasons = reasonsOfReview(input.outcome, before, contents, now);
  const isPending = reasons.length > 0;
  const decision: Decision = {
    id: uuidv7(),
    outcome: input.outcome,
    rejectType: input.rejectType ?? null,
    reasonCodes: input.reasonCodes,
    note: input.note,
    applicantMessage: input.applicantMessage ?? null,
    status: isPending ? 'pending_review' : 'effective',
    fourEyesReasons: reasons,
    evidenceDigest: input.evidenceDigest,
    policyVersion: version,
    madeBy: actorOf(principal),
    reviewedBy: null,
    reviewNote: null,
    createdAt: now.toISOString(),
    effectiveAt: isPending ? null : now.toISOString(),
  };
  insertDecision(tx, sealedRow(decisionTable, decision, await keyOf(tx, before, now)), {
    tenantId: principal.tenantId,
    applicationId: before.id,
    environment: before.environment,
    manifest,
  });
  if (!isPending)
    return { decision, ...(await commitOutcome(ctx, index, begun, decided(before, decision, rules, now))) };
  await requestReview(tx, {
    environment: before.environment,
    subject: subjectOf(decision),
    digest: decision.evidenceDigest,
    maker: principal,
    now,
  });
  return { decision, ...(await commitOutcome(ctx, index, begun, { ...before, ...SECOND_REVIEW })) };
}

const SECOND_REVIEW = { status: 'pending_approval', statusReason: 'second_review', statusNote: null } as const;
const RETURNED = { status: 'in_review', statusReason: 'decision_returned', statusNote: null } as const;

/** Returns why a decision needs a second person; none if one person suffices. */
function reasonsOfReview(
  outcome: Decision['outcome'],
  before: ApplicationRecord,
  contents: Contents,
  now: BusinessTime,
): Decision['fourEyesReasons'] {
  const ofApproval =
    outcome === 'approve'
      ? reasonsOfApproval(before, contents, requirementsOf(assessedOf(before, contents, calendarDate(now))).items)
      : [];
  return [
    ...fourEyesReasons(before, contents.policy.rules, contents.screening),
    ...ofApproval,
    ...conflictsOf(before, contents.others),
  ];
}

/** Stores the changed application. An approval ends the approval that it renews. */
async function commitOutcome(
  ctx: ChangeRequest,
  index: BlindIndex,
  { before, now }: PendingChange,
  after: ApplicationRecord,
): Promise<Omit<Decided, 'decision'>> {
  const application = await commitChange(ctx, index, { before, now }, after);
  const renewedId = await endApprovalRenewedBy(ctx.tx, application, now);
  if (renewedId !== null)
    await followStatus(ctx.tx, [{ ...application, ...RENEWED, id: renewedId }], { at: now, now: ctx.now });
  return { application, renewedId };
}

function keyOf(tx: Transaction, { id, environment }: ApplicationRecord, now: BusinessTime): Promise<KeyObject> {
  return sealingKey(tx, { type: 'application', id }, { environment, now });
}

/** Rejects a decision whose evidence digest is stale. */
async function assertCurrent(tx: Transaction, digest: string, current: EvidenceManifest): Promise<void> {
  if (digest !== evidenceDigest(current)) throw await evidenceChanged(tx, digest, current);
}

/** Returns the refusal of a stale digest. It lists the differences if a manifest with that digest is stored. */
async function evidenceChanged(tx: Transaction, digest: string, current: EvidenceManifest): Promise<Problem> {
  const stale = await findDecidedManifest(tx, {
    tenantId: tx.tenantId!,
    applicationId: current.subject.id,
    evidenceDigest: digest,
  });
  return new Problem('evidence_changed', {
    currentDigest: evidenceDigest(current),
    ...(stale !== null && { changed: evidenceChanges(stale, current) }),
  });
}

interface ReviewRequest extends ChangeRequest {
  readonly params: { readonly applicationId: string; readonly decisionId: string };
  readonly principal: UserPrincipal;
}

/**
 * Result of a review. If it is stale, the application has returned to review; the caller throws `refusal` in a way that
 * keeps this change.
 */
type Reviewed = Decided &
  ({ readonly outcome: 'confirmed' | 'returned' } | { readonly outcome: 'stale'; readonly refusal: Problem });

export async function reviewDecision(
  ctx: ReviewRequest,
  index: BlindIndex,
  { verdict, evidenceDigest: digest, note }: Schemas['DecisionReview'],
): Promise<Reviewed> {
  const {
    tx,
    principal: checker,
    params: { decisionId },
  } = ctx;
  const begun = await beginChange(ctx);
  const { before, contents, now } = begun;
  const proposed = contents.decisions.find(({ id }) => id === decisionId);
  if (proposed === undefined) throw new Problem('not_found');
  const current = manifestOf(before, contents);
  // If changed evidence has invalidated the decision while the reviewer was reading, the refusal names the changes
  // instead of the status.
  const isOvertaken =
    proposed.status === 'invalidated' &&
    before.status === 'in_review' &&
    proposed.evidenceDigest !== evidenceDigest(current);
  if (isOvertaken) throw await evidenceChanged(tx, proposed.evidenceDigest, current);
  assertTransition('reviewDecision', before.status);
  const sealedNote = sealedReviewNote(proposed.id, note, await keyOf(tx, before, now));
  const outcome = await review(tx, subjectOf(proposed), evidenceDigest(current), {
    verdict,
    digest,
    note: sealedNote,
    checker,
    now,
  });
  const reviewed = { reviewedBy: actorOf(checker), reviewNote: note };
  switch (outcome) {
    case 'not_pending':
      throw new Problem('decision_not_pending');
    case 'unread':
      throw await evidenceChanged(tx, digest, current);
    case 'stale': {
      endDecision(tx, proposed.id, { status: 'invalidated', effectiveAt: null });
      const refusal = await evidenceChanged(tx, proposed.evidenceDigest, current);
      const after: ApplicationRecord = { ...before, ...EVIDENCE_CHANGED, statusNote: null };
      const decision: Decision = { ...proposed, status: 'invalidated' };
      return {
        outcome,
        refusal,
        decision,
        ...(await commitOutcome(ctx, index, begun, after)),
      };
    }
    case 'returned': {
      endDecision(tx, proposed.id, { status: 'returned', effectiveAt: null });
      const decision: Decision = { ...proposed, ...reviewed, status: 'returned' };
      return { outcome, decision, ...(await commitOutcome(ctx, index, begun, { ...before, ...RETURNED })) };
    }
    case 'confirmed': {
      assertApprovable(proposed.outcome, before, contents, now);
      const effectiveAt = now.toISOString();
      endDecision(tx, proposed.id, { status: 'effective', effectiveAt });
      const decision: Decision = {
        ...proposed,
        ...reviewed,
        status: 'effective',
        effectiveAt,
      };
      const after = decided(before, decision, contents.policy.rules, now);
      return { outcome, decision, ...(await commitOutcome(ctx, index, begun, after)) };
    }
  }
}
