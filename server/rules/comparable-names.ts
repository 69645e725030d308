import { type FieldError, Problem } from '../contract/problem.ts';
import { isScreenable } from '../screening/names/fold.ts';

/** A name that somebody sends, and where it stands in the body. */
interface GivenName {
  readonly pointer: string;
  readonly name: string;
}

/** Refuses names that can be compared with no list, because whoever has one would be screened as clear. */
export function assertComparable(names: readonly GivenName[]): void {
  const errors = names.filter(({ name }) => !isScreenable(name)).map(({ pointer }): FieldError => ({ pointer, code: 'not_screenable', message: 'must have letters' }));
  if (errors.length > 0) throw new Problem('name_not_screenable', { errors });
}

/** Whether all names of somebody who is on record can be compared with lists. */
export const areComparable = (names: readonly string[]): boolean => names.every(isScreenable);
