/** Types of the words of the audit log: of its actions, their groups and the resources that they are about. */
import type { AuditAction, AuditResourceType } from '../../../../contract/generated/audit-actions.ts';

export type InBoth<Key extends string> = Readonly<Record<Key, readonly [en: string, pt: string]>>;

/** First part of an action, which a filter `group.*` finds. */
export type ActionGroup<A = AuditAction> = A extends `${infer G}.${string}` ? G : never;

/** The words of a part of the log, which event-words.tsx joins with those of the other parts. */
export interface SomeWords {
  readonly groups: Partial<InBoth<ActionGroup>>;
  readonly actions: Partial<InBoth<AuditAction>>;
  readonly resources: Partial<InBoth<AuditResourceType>>;
}
