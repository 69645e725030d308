/** @import { ApiKey } from './types.d.ts' */
import { el } from '../dom.js';
import { calendarDate, moment, relativeTime } from './time.js';

/** @typedef {{ label: string, danger?: boolean, run: () => void }} Action */

/**
 * @param {ApiKey} key
 * @param {Action[]} actions
 */
export function keyCard(key, actions) {
  const id = `key-${key.prefix}`;
  return el('li', {}, el('article', { class: 'card key', 'aria-labelledby': id },
    el('header', {},
      el('h3', { id, tabindex: '-1' }, key.name),
      el('p', { class: 'badges' }, el('span', { class: `badge ${key.environment}` }, key.environment === 'live' ? 'Live' : 'Test'), el('span', { class: `badge ${key.status}` }, statusWord(key)))),
    el('p', { class: 'prefix' }, el('code', {}, `${key.prefix}_…`)),
    el('dl', { class: 'facts' },
      fact('Scopes', key.scopes.map((scope) => el('code', { class: 'scope' }, scope))),
      fact('Last used', [key.lastUsedAt === null ? 'Never' : relativeTime(key.lastUsedAt)]),
      fact('Expires', [key.expiresAt === null ? 'Never' : calendarDate(key.expiresAt)]),
      fact('From', [key.ipAllowlist.length === 0 ? 'Anywhere' : key.ipAllowlist.join(', ')]),
      fact('Created', [calendarDate(key.createdAt), ` by ${key.createdBy.display ?? key.createdBy.type}`]),
      key.pinEnvironment && fact('Sandbox', ['Never: it keeps to live'])),
    key.rotation && el('p', { class: 'notice' }, 'Rotating: ends ', moment(key.rotation.graceUntil), '. Its successor is ', el('code', {}, key.rotation.successorPrefix), '.'),
    actions.length > 0 && el('div', { class: 'actions' }, actions.map(({ label, danger, run }) =>
      el('button', { type: 'button', class: `button quiet small${danger ? ' danger' : ''}`, onclick: run }, label, el('span', { class: 'visually-hidden' }, ` (${key.name})`))))));
}

/** @param {ApiKey} key */
function statusWord({ status }) {
  return { active: 'Active', rotating: 'Rotating', expired: 'Expired', revoked: 'Revoked' }[status] ?? status;
}

/**
 * @param {string} name
 * @param {(Node | string)[]} value
 */
function fact(name, value) {
  return el('div', {}, el('dt', {}, name), el('dd', {}, value));
}
