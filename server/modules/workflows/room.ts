/** Refuses variables for which an instance has no room, before anything of a request is written. */
import { Problem } from '../../contract/problem.ts';
import { hasRoomFor, MOST_VARIABLES, type Variables } from '../../workflow/kernel/state.ts';
import type { Instance } from './instance-store.ts';

/** Refuses a request whose variables would be too many beside those that the instance has. */
export function assertRoom({ variables }: Pick<Instance, 'variables'>, set: Variables): void {
  if (hasRoomFor(variables, set)) return;
  const message = `must leave the instance with ${MOST_VARIABLES} variables at most`;
  throw new Problem('validation_failed', { errors: [{ pointer: '/variables', code: 'too_many', message }] });
}
