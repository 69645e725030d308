import type { Schemas } from '../../core/api.ts';

export type ReasonRule = Schemas['ReasonRule'];

/**
 * Returns whether a reason is valid for an outcome. A reason that is not in the catalogue is a tenant's own and always
 * valid; without an outcome no reason is valid.
 */
export function standsFor(
  catalogue: readonly ReasonRule[],
  subject: ReasonRule['subject'],
  code: string,
  outcome: string,
): boolean {
  if (outcome === '') return false;
  return catalogue.find((rule) => rule.subject === subject && rule.code === code)?.outcomes.includes(outcome) ?? true;
}
