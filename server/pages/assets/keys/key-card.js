/** @import { Action } from '../app/card.js' */
/** @import { ApiKey } from '../app/types.d.ts' */
import { el } from '../dom.js';
import { fact, recordCard } from '../app/card.js';
import { calendarDate, moment, relativeTime } from '../app/time.js';

/** This long before its end the service warns in every answer to the key, and so does its card. */
const WARNING_MS = 30 * 86_400_000;

/**
 * @param {ApiKey} key
 * @param {Action[]} actions
 */
export function keyCard(key, actions) {
  const { requests24h, errors24h } = key.usage;
  return el('li', {}, recordCard({
    id: `key-${key.prefix}`,
    title: key.name,
    badges: [[key.environment, key.environment === 'live' ? 'Live' : 'Test'], [key.status, statusWord(key)]],
    subtitle: el('code', {}, `${key.prefix}_…`),
    facts: [
      fact('Scopes', key.scopes.map((scope) => el('code', { class: 'scope' }, scope))),
      fact('Persons', key.personalData === 'full' ? 'Shown in full' : 'Masked'),
      fact('Last used', key.lastUsedAt === null ? 'Never' : relativeTime(key.lastUsedAt), key.lastUsedIp && ` from ${key.lastUsedIp}`),
      fact('In 24 hours', `${count(requests24h, 'request')}${errors24h > 0 ? `, ${count(errors24h, 'error')}` : ''}`),
      fact('Expires', key.expiresAt === null ? 'Never' : calendarDate(key.expiresAt)),
      fact('From', key.ipAllowlist.length === 0 ? 'Anywhere' : key.ipAllowlist.join(', ')),
      fact('Created', calendarDate(key.createdAt), ` by ${key.createdBy.display ?? key.createdBy.type}`),
      key.pinEnvironment && fact('Sandbox', 'Never: it keeps to live'),
    ],
    more: [
      key.grantor?.active === false && el('p', { class: 'notice warning' }, 'Refused: the person who granted it has left. An owner or administrator takes it over by rotating it, or by saving its scopes.'),
      endsSoon(key) && key.expiresAt !== null && el('p', { class: 'notice warning' }, 'Ends ', relativeTime(key.expiresAt), '. Rotate it, or move its expiry, before its callers are refused.'),
      key.rotation && el('p', { class: 'notice' }, 'Rotating: ends ', moment(key.rotation.graceUntil), '. Its successor is ', el('code', {}, key.rotation.successorPrefix), '.'),
    ],
    actions,
  }));
}

/** @param {ApiKey} key */
function endsSoon({ status, expiresAt }) {
  return status === 'active' && expiresAt !== null && Date.parse(expiresAt) - Date.now() < WARNING_MS;
}

/** @param {ApiKey} key */
function statusWord({ status }) {
  return { active: 'Active', rotating: 'Rotating', expired: 'Expired', revoked: 'Revoked' }[status] ?? status;
}

/**
 * @param {number} number
 * @param {string} noun
 */
function count(number, noun) {
  return `${number.toLocaleString('en-GB')} ${noun}${number === 1 ? '' : 's'}`;
}
