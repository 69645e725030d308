/**
 * Statuses of a record that people decide about, from draft to the end of the relationship, without input or output.
 * Used, through the index, by the modules of subjects. Transitions follow from the contract (`x-state-transitions`); a
 * step from a wrong status is a 409 with the allowed ones. Times are by the clock of the environment.
 */
import {
  addMilliseconds,
  type BusinessTime,
  type BusinessTimestamp,
  DAY_MILLISECONDS,
  nextChangeTime,
  readBusinessTime,
  readStatedTime,
} from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import { monthsLater } from '../../rules/brazilian-calendar.ts';
import type { Decision } from './decision-store.ts';

type Schemas = components['schemas'];
type Status = Schemas['ApplicationStatus'];

/** Members of a record that the steps of its life change. */
export interface Lived {
  readonly status: Status;
  readonly statusReason: string | null;
  /** Note of the last transition, for the tenant's own records. */
  readonly statusNote: string | null;
  readonly resubmissionCount: number;
  readonly submittedAt: BusinessTimestamp | null;
  readonly decidedAt: BusinessTimestamp | null;
  readonly validUntil: BusinessTimestamp | null;
  readonly reviewDueAt: BusinessTimestamp | null;
  readonly relationshipEndedAt: BusinessTimestamp | null;
  readonly expiresAt: BusinessTimestamp | null;
  readonly version: number;
  readonly updatedAt: BusinessTimestamp;
}

type Step = 'submit' | 'ask' | 'decide' | 'review' | 'reopen' | 'endRelationship' | 'withdraw';
type Transitions = { readonly from: readonly Status[]; readonly to: readonly Status[] };

/** Statuses of records that are being decided. */
export const ACTIVE = ['submitted', 'in_review', 'needs_information', 'pending_approval'] as const;

/** Returns whether a record is submitted and not yet decided. */
export function isUnderReview(status: Status): boolean {
  return ACTIVE.some((active) => active === status);
}

/** Rejects new evidence once the record is decided or has ended otherwise. */
export function assertOpen(status: Status, closed: 'application_closed' | 'business_closed'): void {
  if (status !== 'draft' && !isUnderReview(status)) throw new Problem(closed);
}

/** Rejects the removal of a document unless the record is a draft: once submitted, the document is evidence. */
export function assertNoEvidence(status: Status): void {
  if (status !== 'draft') throw new Problem('document_is_evidence');
}

/** Time after the due date in which an answer is still accepted, so that one sent late in the evening is not lost. */
const GRACE_MILLISECONDS = DAY_MILLISECONDS;

/** Returns a record that waits for the answer to a request for information. */
export function informationRequested<R extends Lived>(record: R, { dueAt }: { readonly dueAt: BusinessTimestamp }) {
  return {
    ...record,
    status: 'needs_information' as const,
    statusReason: 'information_requested',
    statusNote: null,
    expiresAt: addMilliseconds(readBusinessTime(dueAt), GRACE_MILLISECONDS).toISOString(),
  };
}

/**
 * Returns the record after an effective decision. An approval is valid for the given months. It is due for review after
 * the months that the risk model sets, and no later than it expires.
 */
export function decidedRecord<R extends Lived>(
  record: R,
  { outcome, reasonCodes }: Pick<Decision, 'outcome' | 'reasonCodes'>,
  { validityMonths, reviewMonths }: { readonly validityMonths: number; readonly reviewMonths: number },
  now: BusinessTime,
) {
  const decision = { statusReason: reasonCodes[0] ?? null, statusNote: null, decidedAt: now.toISOString() };
  if (outcome === 'reject')
    return {
      ...record,
      ...decision,
      status: 'rejected' as const,
      validUntil: null,
      reviewDueAt: null,
    };
  return {
    ...record,
    ...decision,
    status: 'approved' as const,
    validUntil: monthsLater(now, validityMonths).toISOString(),
    reviewDueAt: monthsLater(now, Math.min(reviewMonths, validityMonths)).toISOString(),
  };
}

/** Status of a record whose decision waits for a second person. */
export const SECOND_REVIEW = { status: 'pending_approval', statusReason: 'second_review', statusNote: null } as const;
/** Status of a record whose decision has ended, because its evidence has changed. */
export const EVIDENCE_CHANGED = { status: 'in_review', statusReason: 'evidence_changed' } as const;
const RETURNED = { status: 'in_review', statusReason: 'decision_returned', statusNote: null } as const;

/** Returns the record after the review of a decision; `confirmed` returns it as an effective decision leaves it. */
export function reviewedRecord<R extends Lived>(
  record: R,
  outcome: 'confirmed' | 'returned' | 'stale',
  confirmed: () => R,
): R {
  switch (outcome) {
    case 'stale':
      return { ...record, ...EVIDENCE_CHANGED, statusNote: null };
    case 'returned':
      return { ...record, ...RETURNED };
    case 'confirmed':
      return confirmed();
  }
}

/** Gives a changed record its next version and a change time that is later than the previous one. */
export function nextVersion<R extends Lived>(before: Lived, after: R, at: BusinessTime): R {
  return { ...after, version: before.version + 1, updatedAt: nextChangeTime(at, before.updatedAt) };
}

/** Lists the status change with values for the audit log, because a status is not personal data. */
export function changedStatus({
  status,
  statusReason,
}: Pick<Lived, 'status' | 'statusReason'>): { op: 'replace'; path: string; value: string | null }[] {
  return [
    { op: 'replace', path: '/status', value: status },
    { op: 'replace', path: '/statusReason', value: statusReason },
  ];
}

/**
 * Returns the steps of a kind of record, by the transitions that the contract declares for its operations. They are
 * read at each step, because `make dev` replaces the generated tables after the modules are loaded.
 */
export function lifecycleOf(transitions: () => Readonly<Record<Step, Transitions>>) {
  function allowedTransitions(status: Status): Status[] {
    // Excludes operations whose target statuses are all among their start statuses: those need not change the status.
    const changing = Object.values(transitions()).filter(
      ({ from, to }) => from.includes(status) && !to.every((end) => from.includes(end)),
    );
    return [...new Set(changing.flatMap(({ to }) => to))];
  }

  const wrongStatus = (status: Status): Problem =>
    new Problem('invalid_state_transition', {
      currentStatus: status,
      allowedTransitions: allowedTransitions(status),
    });

  /** Throws a 409 problem if the operation may not start from the current status. */
  function assertTransition(step: Step, current: Status): void {
    if (!transitions()[step].from.includes(current)) throw wrongStatus(current);
  }

  return {
    allowedTransitions,
    assertTransition,

    /** Rejects an erasure of a record that is being decided. */
    assertNotUnderReview(status: Status): void {
      if (isUnderReview(status)) throw wrongStatus(status);
    },

    submitted<R extends Lived>(record: R, at: BusinessTime) {
      assertTransition('submit', record.status);
      return {
        ...record,
        status: 'in_review' as const,
        statusReason: 'submitted',
        statusNote: null,
        submittedAt: at.toISOString(),
        expiresAt: null,
      };
    },

    /** Returns the record to review after the answer. `submittedAt` keeps the time of the first submission. */
    answered<R extends Lived>(record: R) {
      assertTransition('submit', record.status);
      return {
        ...record,
        status: 'in_review' as const,
        statusReason: 'information_provided',
        statusNote: null,
        resubmissionCount: record.resubmissionCount + 1,
        expiresAt: null,
      };
    },

    withdrawn<R extends Lived>(
      record: R,
      { reasonCode, note = null }: { readonly reasonCode: string; readonly note?: string | null },
    ) {
      assertTransition('withdraw', record.status);
      return {
        ...record,
        status: 'withdrawn' as const,
        statusReason: reasonCode,
        statusNote: note,
        expiresAt: null,
      };
    },

    /** Returns a decided record to review. `decidedAt` keeps the time of the last decision. */
    reopened<R extends Lived>(record: R, { reasonCode, note }: Schemas['ReopenRequest']) {
      assertTransition('reopen', record.status);
      return {
        ...record,
        status: 'in_review' as const,
        statusReason: reasonCode,
        statusNote: note,
        validUntil: null,
        reviewDueAt: null,
        relationshipEndedAt: null,
      };
    },

    /**
     * Records the end of the relationship and leaves the approval unchanged. The caller may state when it ended,
     * because the institution that runs the account knows.
     */
    relationshipEnded<R extends Lived>(
      record: R,
      { endedAt, note = null }: Schemas['RelationshipEnd'],
      now: BusinessTime,
      { wasApproved }: { readonly wasApproved: boolean },
    ) {
      assertTransition('endRelationship', record.status);
      // A record that expired without an approval is not a customer's, unless its last effective decision was an
      // approval: a customer whose case was reopened may have failed to answer in time.
      if (record.validUntil === null && !wasApproved) throw wrongStatus(record.status);
      if (record.relationshipEndedAt !== null) throw new Problem('relationship_ended');
      const at = endedAt === undefined ? now : readStatedTime(endedAt);
      if (at === null || at > now || at.toISOString() < (record.decidedAt ?? '')) {
        throw new Problem('validation_failed', {
          errors: [{ pointer: '/endedAt', code: 'range', message: 'must not be before the approval or in the future' }],
        });
      }
      return { ...record, relationshipEndedAt: at.toISOString(), statusNote: note };
    },
  };
}
