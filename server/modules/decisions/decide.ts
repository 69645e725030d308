/**
 * The machine of decisions: makes a decision, or proposes it for a second person, and ends a proposal by that person's
 * verdict. Called, through the index, by the module of the subject, which must hold the lock on the subject and changes
 * its status afterwards. A digest of evidence that has changed is refused (`evidence_changed`) with the differences.
 */
import type { BusinessTime } from '../../base/time.ts';
import type { KeyObject } from 'node:crypto';
import { type Uuid, uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf, type AnyPrincipal, type UserPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { evidenceChanges, evidenceDigest, type EvidenceManifest } from '../../rules/evidence.ts';
import type { Subject } from '../../rules/subject.ts';
import { endReview, eraseReviewNotes, requestReview, review } from '../second-review/index.ts';
import { sealedRow, sealingKey } from '../subject-keys/index.ts';
import { assertKnownReasons, decisionBodyFaults, type DecisionRules } from './decision-rules.ts';
import {
  type Decision,
  decision as decisionTable,
  decisionIds,
  endDecision,
  findDecidedManifest,
  findPendingDecision,
  insertDecision,
  sealedReviewNote,
} from './decision-store.ts';

type Schemas = components['schemas'];
type Outcome = Decision['outcome'];

/**
 * A subject to decide about, as its module hands it in. The transaction must hold the lock on the row of the subject,
 * so that nothing that belongs to the subject changes until the end of the transaction.
 */
export interface DecisionCase {
  /** Current evidence. It names the subject and the environment. */
  readonly manifest: EvidenceManifest;
  readonly policy: { readonly version: number; readonly rules: DecisionRules };
  /** Current risk assessment of the subject; null if there is none. */
  readonly riskAssessmentId: Uuid | null;
  /** Business time of the decision. */
  readonly now: BusinessTime;
  /** Rejects a caller who may not decide at the risk of the subject. */
  readonly assertMayDecide: (principal: AnyPrincipal) => void;
  /** Rejects an outcome that the requirements of the subject rule out. */
  readonly assertPermitted: (outcome: Outcome) => void;
  /** Returns why a decision with this outcome needs a second person; none if one person suffices. */
  readonly fourEyesReasons: (outcome: Outcome) => string[];
}

/**
 * Makes an effective decision, or proposes it for a second review if there are reasons for one. The caller then changes
 * the status of the subject.
 */
export async function makeDecision(
  tx: Transaction,
  principal: AnyPrincipal,
  about: DecisionCase,
  input: Schemas['DecisionCreate'],
): Promise<Decision> {
  const { manifest, policy, riskAssessmentId, now } = about;
  const faults = decisionBodyFaults(input);
  if (faults.length > 0) throw new Problem('validation_failed', { errors: faults });
  about.assertMayDecide(principal);
  assertKnownReasons(input.reasonCodes, policy.rules);
  if (input.evidenceDigest !== evidenceDigest(manifest))
    throw await evidenceChanged(tx, input.evidenceDigest, manifest);
  about.assertPermitted(input.outcome);
  const reasons = about.fourEyesReasons(input.outcome);
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
    policyVersion: policy.version,
    riskAssessmentId,
    madeBy: actorOf(principal),
    reviewedBy: null,
    reviewNote: null,
    createdAt: now.toISOString(),
    effectiveAt: isPending ? null : now.toISOString(),
  };
  await recordDecision(tx, decision, manifest, now);
  if (isPending)
    await requestReview(tx, {
      environment: manifest.environment,
      subject: proposalOf(decision),
      digest: decision.evidenceDigest,
      maker: principal,
      now,
    });
  return decision;
}

/** Seals and stores a decision that rests on the evidence of the manifest. */
export async function recordDecision(
  tx: Transaction,
  decision: Decision,
  manifest: EvidenceManifest,
  now: BusinessTime,
): Promise<void> {
  insertDecision(tx, sealedRow(decisionTable, decision, await keyOf(tx, manifest, now)), manifest);
}

function keyOf(
  tx: Transaction,
  { subject: { kind, id }, environment }: EvidenceManifest,
  now: BusinessTime,
): Promise<KeyObject> {
  return sealingKey(tx, { type: kind, id }, { environment, now });
}

/** Returns the refusal of a stale digest. It lists the differences if a manifest with that digest is stored. */
async function evidenceChanged(tx: Transaction, digest: string, current: EvidenceManifest): Promise<Problem> {
  const stale = await findDecidedManifest(tx, current.subject, digest);
  return new Problem('evidence_changed', {
    currentDigest: evidenceDigest(current),
    ...(stale !== null && { changed: evidenceChanges(stale, current) }),
  });
}

/** Returns the subject of the second review of a decision. */
function proposalOf({ id }: Pick<Decision, 'id'>): { readonly type: 'decision'; readonly id: string } {
  return { type: 'decision', id };
}

/**
 * Rejects a verdict on a decision that changed evidence has invalidated while the reviewer was reading. The refusal
 * names the changes.
 */
export async function assertNotOvertaken(
  tx: Transaction,
  proposed: Decision,
  current: EvidenceManifest,
): Promise<void> {
  if (proposed.status === 'invalidated' && proposed.evidenceDigest !== evidenceDigest(current))
    throw await evidenceChanged(tx, proposed.evidenceDigest, current);
}

/**
 * Decision after a review. If it was stale, the caller returns the subject to review and then throws `refusal` in a way
 * that keeps this change.
 */
type Reviewed = { readonly decision: Decision } & (
  | { readonly outcome: 'confirmed' | 'returned' }
  | { readonly outcome: 'stale'; readonly refusal: Problem }
);

/**
 * Ends a decision that waits for a second person by that person's verdict. The caller then changes the status of the
 * subject.
 */
export async function reviewDecision(
  tx: Transaction,
  checker: UserPrincipal,
  { manifest, now, assertPermitted }: Pick<DecisionCase, 'manifest' | 'now' | 'assertPermitted'>,
  {
    proposed,
    verdict: { verdict, evidenceDigest: digest, note },
  }: {
    readonly proposed: Decision;
    readonly verdict: Schemas['DecisionReview'];
  },
): Promise<Reviewed> {
  const sealedNote = sealedReviewNote(proposed.id, note, await keyOf(tx, manifest, now));
  const outcome = await review(tx, proposalOf(proposed), evidenceDigest(manifest), {
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
      throw await evidenceChanged(tx, digest, manifest);
    case 'stale': {
      endDecision(tx, proposed.id, { status: 'invalidated', effectiveAt: null });
      const refusal = await evidenceChanged(tx, proposed.evidenceDigest, manifest);
      return { outcome, refusal, decision: { ...proposed, status: 'invalidated' } };
    }
    case 'returned':
      endDecision(tx, proposed.id, { status: 'returned', effectiveAt: null });
      return { outcome, decision: { ...proposed, ...reviewed, status: 'returned' } };
    case 'confirmed': {
      assertPermitted(proposed.outcome);
      const effectiveAt = now.toISOString();
      endDecision(tx, proposed.id, { status: 'effective', effectiveAt });
      return {
        outcome,
        decision: {
          ...proposed,
          ...reviewed,
          status: 'effective',
          effectiveAt,
        },
      };
    }
  }
}

/** Decision that waited for a second review and was ended without one. */
export type Invalidated = Pick<Decision, 'id' | 'outcome'>;

/**
 * Ends the decision that waits for a second review, because its evidence has changed or the subject has ended. The
 * caller must hold the lock on the subject.
 */
export async function invalidateProposal(
  tx: Transaction,
  subject: Subject,
  now: BusinessTime,
): Promise<Invalidated | null> {
  const pending = await findPendingDecision(tx, subject);
  if (pending === null) return null;
  endDecision(tx, pending.id, { status: 'invalidated', effectiveAt: null });
  endReview(tx, proposalOf(pending), now);
  return pending;
}

/** Erases the notes of the reviewers of all decisions about a subject, including those that no response shows. */
export async function eraseNotesOfReviews(tx: Transaction, subject: Subject, now: BusinessTime): Promise<void> {
  eraseReviewNotes(tx, 'decision', await decisionIds(tx, subject), now);
}
