import { type FieldError, Problem } from '../../contract/problem.ts';

/** Returns the refusal of an assessment for which facts are missing. */
export function unscorable(missingFacts: readonly string[]): Problem<'unscorable'> {
  const errors = missingFacts.map(
    (path): FieldError => ({
      pointer: `/facts/${path}`,
      code: 'missing_fact',
      message: 'must be known, because the model needs it',
    }),
  );
  return new Problem('unscorable', { errors });
}
