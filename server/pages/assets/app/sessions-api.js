/** @import { Schemas } from './types.d.ts' */
/** @import { Session } from './session.js' */

/**
 * @param {Session} session
 * @param {string} userId
 * @param {string | null} cursor
 */
export async function listUserSessions(session, userId, cursor) {
  const query = new URLSearchParams({ limit: '25', ...(cursor !== null && { cursor }) });
  return /** @type {Schemas['SessionList']} */ (await session.call('GET', `/v1/users/${userId}/sessions?${query}`));
}

/**
 * @param {Session} session
 * @param {string} userId
 * @param {string | null} sessionId null ends all
 */
export async function endUserSessions(session, userId, sessionId) {
  await session.call('DELETE', `/v1/users/${userId}/sessions${sessionId === null ? '' : `?${new URLSearchParams({ sessionId })}`}`);
}
