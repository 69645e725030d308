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

/**
 * @typedef {object} RequestOptions
 * @property {object} [body]
 * @property {string} [token]
 * @property {string} [idempotencyKey]
 * @property {number} [version] the version that was shown, for `If-Match`
 * @property {string} [totpCode] a fresh second factor
 */

/**
 * One call of the API.
 * @param {string} method
 * @param {string} path
 * @param {RequestOptions} [options]
 * @returns {Promise<unknown>}
 */
export async function request(method, path, { body, token, idempotencyKey, version, totpCode } = {}) {
  const headers = new Headers({ Accept: 'application/json' });
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
  if (version !== undefined) headers.set('If-Match', `"${version}"`);
  if (totpCode !== undefined) headers.set('X-TOTP-Code', totpCode);
  const response = await fetch(path, { method, headers, cache: 'no-store', credentials: 'omit', body: body === undefined ? null : JSON.stringify(body) })
    .catch(() => { throw new ApiError(null); });
  const answer = response.status === 204 ? null : await response.json().catch(() => null);
  if (response.ok) return answer;
  throw typeof answer?.code === 'string' ? new ApiError(answer) : new ApiError(null, `The service answered ${response.status}. Try again later.`);
}

/**
 * Idempotency keys for one form: the same content sent again is the same request, changed content is another. So a
 * second click after a lost answer neither creates a second key nor is refused.
 * @returns {(content: unknown) => string}
 */
export function idempotencyKeys() {
  let [last, key] = ['', ''];
  return (content) => {
    const now = JSON.stringify(content ?? null);
    if (now !== last) [last, key] = [now, randomKey()];
    return key;
  };
}

/** `crypto.randomUUID` exists on secure origins only; this page also works over plain HTTP in a closed network. */
export function randomKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
