/**
 * Whether a name can be compared with watch lists at all. Used by applications and screenings. A name that cannot must
 * never count as clear.
 */
import { type FieldError, Problem } from '../contract/problem.ts';
import { isScreenable } from '../screening/names/fold.ts';

/** A name in a request, and its pointer in the body. */
interface GivenName {
  readonly pointer: string;
  readonly name: string;
}

/**
 * Refuses names that cannot be compared with any list, because a person with such a name would be screened as clear.
 */
export function assertComparable(names: readonly GivenName[]): void {
  const errors = names
    .filter(({ name }) => !isScreenable(name))
    .map(({ pointer }): FieldError => ({ pointer, code: 'not_screenable', message: 'must have letters' }));
  if (errors.length > 0) throw new Problem('name_not_screenable', { errors });
}

/** Tells whether all names of a recorded person can be compared with lists. */
export const areComparable = (names: readonly string[]): boolean => names.every(isScreenable);
