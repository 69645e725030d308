import { ApiError } from './api-error.js';

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
