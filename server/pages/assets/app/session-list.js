/** This module lists the sessions of a person and ends them; the account and the team page use it. */
import { el, fill } from '../dom.js';
import { ApiError } from './api.js';
import { announce } from './components.js';
import { relativeTime } from './format.js';
import { pagedList } from './list.js';
/** @import { Session } from './session.js' */
/** @import { Schemas } from './types.d.ts' */

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
export async function revokeUserSessions(session, userId, sessionId) {
  await session.call('DELETE', `/v1/users/${userId}/sessions${sessionId === null ? '' : `?${new URLSearchParams({ sessionId })}`}`);
}

/**
 * Where a user is signed in, each with a button that ends it.
 * @param {Session} session
 * @param {string} userId
 */
export function sessionList(session, userId) {
  const message = el('div', { role: 'alert' });
  const { element, load } = pagedList({
    list: el('ul', { class: 'sessions' }),
    read: (cursor) => listUserSessions(session, userId, cursor),
    item,
    empty: () => 'No open session.',
  });
  load();
  return { element: el('div', { class: 'stack' }, message, element), load };

  /** @param {Schemas['Session']} open */
  function item(open) {
    const program = programName(open.userAgent);
    return el('li', {},
      el('div', {},
        el('strong', {}, program), open.current && el('span', { class: 'badge active' }, 'This one'), open.mfa && el('span', { class: 'badge' }, 'Second factor'),
        el('p', { class: 'muted' }, `${open.ip ?? 'Unknown address'}, opened `, relativeTime(open.createdAt), ', last used ', relativeTime(open.lastSeenAt))),
      !open.current && el('button', { type: 'button', class: 'button quiet danger small', onclick: () => end(open.id) }, 'End', el('span', { class: 'visually-hidden' }, ` the session of ${program}`)));
  }

  /** @param {string} id */
  async function end(id) {
    fill(message);
    try {
      await revokeUserSessions(session, userId, id);
      await load();
      announce('Session ended.');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      fill(message, el('p', { class: 'notice error' }, error.message));
    }
  }
}

/** @type {readonly (readonly [RegExp, string])[]} */
const PROGRAMS = [[/Edg\//, 'Edge'], [/OPR\//, 'Opera'], [/Firefox\//, 'Firefox'], [/Chrome\//, 'Chrome'], [/Safari\//, 'Safari']];
/** @type {readonly (readonly [RegExp, string])[]} */
const SYSTEMS = [[/Android/, 'Android'], [/iPhone|iPad/, 'iOS'], [/Windows/, 'Windows'], [/Mac OS X/, 'macOS'], [/Linux/, 'Linux']];

/** @param {string | null} userAgent */
function programName(userAgent) {
  if (userAgent === null || userAgent === '') return 'Unknown program';
  const program = PROGRAMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return program === undefined ? userAgent.slice(0, 60) : `${program}${system === undefined ? '' : ` on ${system}`}`;
}
