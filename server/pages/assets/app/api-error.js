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

const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

/** @param {Problem | null} problem */
function problemText(problem) {
  if (problem === null) return 'The service cannot be reached. Check the connection and try again: a repeated request has no second effect.';
  return `${problem.title}. ${problem.detail ?? ''} ${problem.retryAfter === undefined ? '' : waitText(problem.retryAfter)}`.replace(/ +/g, ' ').trim();
}

/** How long, and for long waits until when. @param {number} seconds */
function waitText(seconds) {
  if (seconds < 120) return `Try again in ${seconds} seconds.`;
  return `Try again at ${CLOCK.format(Date.now() + seconds * 1000 + 59_999)}, in ${Math.ceil(seconds / 60)} minutes.`;
}
