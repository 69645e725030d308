/**
 * Which reasons may be offered for an outcome. Used by the dialogs for decisions, waivers, hits and alerts. It only
 * spares the user a refusal: the service decides.
 */
import type { Schemas } from '../../core/api.ts';

export type ReasonRule = Schemas['ReasonRule'];

/**
 * Returns whether a reason may be offered for an outcome; without an outcome none is. A reason that is not in the
 * catalogue is a tenant's own and always allowed. So while the catalogue is loading, or could not be loaded, every
 * reason is offered, and the service refuses one that does not fit.
 */
export function isReasonAllowed(
  catalogue: readonly ReasonRule[],
  subject: ReasonRule['subject'],
  code: string,
  outcome: string,
): boolean {
  if (outcome === '') return false;
  return catalogue.find((rule) => rule.subject === subject && rule.code === code)?.outcomes.includes(outcome) ?? true;
}
