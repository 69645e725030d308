/**
 * The type of the words for actions, which both languages must fill. Used by the two files of words and
 * event-words.tsx.
 */
import type { AuditAction, AuditResourceType } from '../../../../contract/generated/audit-actions.ts';

/** First part of an action, which a filter `group.*` finds. */
type ActionGroup<A = AuditAction> = A extends `${infer G}.${string}` ? G : never;

/** Words for every action in the audit log. A missing one does not compile. */
export interface ActionWords {
  readonly groups: Readonly<Record<ActionGroup, string>>;
  readonly actions: Readonly<Record<AuditAction, string>>;
  readonly resources: Readonly<Record<AuditResourceType, string>>;
}
