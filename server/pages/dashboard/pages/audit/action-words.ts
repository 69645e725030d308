import type { AuditAction, AuditResourceType } from '../../../../contract/generated/audit-actions.ts';

/** What an action begins with, and what a filter `group.*` finds. */
type ActionGroup<A = AuditAction> = A extends `${infer G}.${string}` ? G : never;

/** Words for all that the service writes to the audit log: one that is missing does not compile. */
export interface ActionWords {
  readonly groups: Readonly<Record<ActionGroup, string>>;
  readonly actions: Readonly<Record<AuditAction, string>>;
  readonly resources: Readonly<Record<AuditResourceType, string>>;
}
