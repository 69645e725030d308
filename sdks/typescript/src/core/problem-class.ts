/**
 * Creates error classes for problem codes. Used by the generated errors. They recognise errors by code and add nothing
 * to them.
 */
import type { ApiError } from './errors.ts';
import type { Problem } from '../generated/types.gen.ts';

type ErrorClass<Base extends ApiError> = new (response: Response, body: unknown) => Base;

/**
 * A class of errors with one problem code: `error instanceof InvalidCursorError` narrows `error.code`. `Members` of
 * the problem come with it.
 */
export interface ProblemClass<Code extends string, Base extends ApiError, Members extends keyof Problem = never> {
  new (
    response: Response,
    body: unknown,
  ): Base & { readonly code: Code; readonly problem: Problem & Pick<Problem, Members> };
  readonly code: Code;
}

/**
 * Creates an error class for one problem code. Errors are created by status, and such a class recognises them by their
 * code. So a program includes only the classes that it names, and an error with an unknown code is still an error of
 * its status.
 */
export function problemClass<Code extends string, Base extends ApiError, Members extends keyof Problem = never>(
  code: Code,
  base: ErrorClass<Base>,
): ProblemClass<Code, Base, Members> {
  const recognised = class extends (base as ErrorClass<ApiError>) {
    static readonly code = code;
    static override [Symbol.hasInstance](error: unknown): boolean {
      return error instanceof base && error.code === code;
    }
  };
  return recognised as unknown as ProblemClass<Code, Base, Members>;
}
