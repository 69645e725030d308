import type { Schemas } from '../../app/api.ts';

export type ReasonRule = Schemas['ReasonRule'];

/** Whether a reason may be given for an outcome. One that is not in the catalogue is a tenant's own and may stand everywhere; for no outcome there are no reasons. */
export function standsFor(catalogue: readonly ReasonRule[], subject: ReasonRule['subject'], code: string, outcome: string): boolean {
  if (outcome === '') return false;
  return catalogue.find((rule) => rule.subject === subject && rule.code === code)?.outcomes.includes(outcome) ?? true;
}
