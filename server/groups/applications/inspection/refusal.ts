import { Problem } from '../../../http/problem.ts';

/** 422 `corrupt_file` with a sentence that helps to find the damage. */
export function corrupt(detail: string): Problem {
  return new Problem('corrupt_file', { detail });
}
