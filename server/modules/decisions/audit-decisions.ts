/**
 * Writes what the audit log records of decisions about applications and businesses. Used by the handlers of both and,
 * through them, by cases. Notes, what a person has declared, and digests of these must stay out of the log, because it
 * cannot be erased and some of its readers see persons masked.
 */
import type { AuditAction } from '../../contract/generated/audit-actions.ts';
import type { AuditedResource } from '../../request/handler.ts';
import type { Subject } from '../../rules/subject.ts';
import { changedStatus, EVIDENCE_CHANGED, type Lived } from './lifecycle.ts';
import type { Decision } from './decision-store.ts';
import type { Invalidated } from './decide.ts';

/** Writer of audit events with these actions, and possibly others, each with a resource of the action's type. */
export type WriterOf<E extends AuditAction> = <A extends E>(
  action: A,
  resource: AuditedResource<A>,
  changes?: object,
) => void;

/** A kind of subject, with the action that records a change of its status and the resource of its events. */
interface AuditedKind<Changed extends AuditAction> {
  readonly kind: Subject['kind'];
  readonly statusChanged: Changed;
  readonly about: (subject: { readonly id: string }) => AuditedResource<Changed>;
}

type DecidedSubject = Pick<Lived, 'status' | 'statusReason'> & { readonly id: string };

/** Returns the functions that audit decisions about one kind of subject. */
export function decisionAudits<Changed extends AuditAction>({ kind, statusChanged, about }: AuditedKind<Changed>) {
  const ofDecision = ({ id, outcome }: Invalidated, subject: Pick<DecidedSubject, 'id' | 'status'>) =>
    [
      { type: 'decision', id },
      { [`${kind}Id`]: subject.id, [`${kind}Status`]: subject.status, outcome },
    ] as const;

  return {
    /** Returns resource and changes of an event about a decision. */
    ofDecision,

    /** Audits a decision that was made or proposed, and what it changes. */
    decided(audit: WriterOf<'decision.proposed' | Changed>, decision: Decision, subject: DecidedSubject): void {
      const { rejectType, reasonCodes, policyVersion, status } = decision;
      const [resource, changes] = ofDecision(decision, subject);
      audit('decision.proposed', resource, {
        ...changes,
        status,
        rejectType,
        reasonCodes,
        policyVersion,
      });
      audit(statusChanged, about(subject), changedStatus(subject));
    },

    /** Audits the verdict of a second person about a decision, and what it changes. */
    reviewed(
      audit: WriterOf<'decision.confirmed' | 'decision.returned' | Changed>,
      decision: Decision,
      subject: DecidedSubject,
      outcome: 'confirmed' | 'returned',
    ): void {
      audit(`decision.${outcome}`, ...ofDecision(decision, subject));
      audit(statusChanged, about(subject), changedStatus(subject));
    },

    /** Audits that changed evidence has ended a decision that waited, and returned its subject to review. */
    invalidated(audit: WriterOf<'decision.invalidated' | Changed>, decision: Invalidated, id: string): void {
      const subject = { id, ...EVIDENCE_CHANGED };
      audit('decision.invalidated', ...ofDecision(decision, subject));
      audit(statusChanged, about(subject), changedStatus(subject));
    },
  };
}
