/** @import { Problem } from './types.d.ts' */

/** A refusal of the API, or (without a problem) an answer that never came. */
export class ApiError extends Error {
  /**
   * @param {Problem | null} problem
   * @param {string} [message]
   */
  constructor(problem, message) {
    super(message ?? problemText(problem));
    this.problem = problem;
  }

  get code() {
    return this.problem?.code ?? 'unreachable';
  }
}

/** @param {Problem | null} problem */
function problemText(problem) {
  if (problem === null) return 'The service cannot be reached. Check the connection and try again: a repeated request has no second effect.';
  const wait = problem.retryAfter === undefined ? '' : ` Try again in ${problem.retryAfter} seconds.`;
  return `${problem.title}. ${problem.detail ?? ''}${wait}`.trim();
}
