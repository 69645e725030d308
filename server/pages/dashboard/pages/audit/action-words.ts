/**
 * Words for the actions of the audit log, their groups and the resources that they are about, each in English and
 * Portuguese. Used by event-words.tsx. A new action, group or resource needs its line in one of the two files that are
 * joined here: without its words in both languages it does not compile.
 */
import type { AuditAction, AuditResourceType } from '../../../../contract/generated/audit-actions.ts';
import { accountWords } from './account-words.ts';
import { recordWords } from './record-words.ts';

type InBoth<Key extends string> = Readonly<Record<Key, readonly [en: string, pt: string]>>;

/** First part of an action, which a filter `group.*` finds. */
type ActionGroup<A = AuditAction> = A extends `${infer G}.${string}` ? G : never;

/** The words of a part of the log. */
export interface SomeWords {
  readonly groups: Partial<InBoth<ActionGroup>>;
  readonly actions: Partial<InBoth<AuditAction>>;
  readonly resources: Partial<InBoth<AuditResourceType>>;
}

export const groups: InBoth<ActionGroup> = { ...accountWords.groups, ...recordWords.groups };
export const actions: InBoth<AuditAction> = { ...accountWords.actions, ...recordWords.actions };
export const resources: InBoth<AuditResourceType> = { ...accountWords.resources, ...recordWords.resources };
