/**
 * When a change of a setting weakens protection. Used by the definitions of sections. If these rules differ from the
 * service's, the user is not warned, or is asked for a code without a warning.
 */
import type { Schemas } from '../../core/api.ts';

/**
 * Rules for changes that weaken protection. The service decides and asks for a fresh second factor; these rules warn
 * before saving, and a test compares them with those of the service.
 */
export type Weakens<Value> = (before: Value, after: Value) => boolean;

export const lowered: Weakens<number> = (before, after) => after < before;

export const raised: Weakens<number> = (before, after) => after > before;

/** Null means no limit. */
export const limitRaised: Weakens<number | null> = (before, after) =>
  (after ?? Number.POSITIVE_INFINITY) > (before ?? Number.POSITIVE_INFINITY);

export const dropped: Weakens<boolean> = (before, after) => before && !after;

export const granted: Weakens<boolean> = (before, after) => !before && after;

/** Personal data is shown again. */
export const uncovered: Weakens<Schemas['FundsRecoverySettings']['rawPayload']> = (before, after) =>
  before === 'masked' && after !== 'masked';

export const shortened: Weakens<readonly string[]> = (before, after) => before.some((item) => !after.includes(item));

/** An empty list allows everything. */
export const opened: Weakens<readonly string[]> = (before, after) =>
  before.length > 0 && (after.length === 0 || shortened(after, before));

/** Amounts in two currencies cannot be compared. */
export const amountRaised: Weakens<Schemas['Money'] | null> = (before, after) =>
  before !== null && (after === null || after.currency !== before.currency || after.amount > before.amount);
