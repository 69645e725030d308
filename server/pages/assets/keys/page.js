/** This module is the page of the API keys of a tenant. */
import { announce, fact, offered, recordCard, showFailure } from '../app/components.js';
import { calendarDate, moment, relativeTime } from '../app/format.js';
import { pagedList, segments } from '../app/list.js';
import { el, fill } from '../dom.js';
import { Api } from './api.js';
import { changeScopes, createKey, editKey, revokeKey, rotateKey, showSecret } from './dialogs.js';
import { loadScopes } from './fields.js';
/** @import { Action } from '../app/components.js' */
/** @import { Workspace } from '../app/navigation.js' */
/** @import { ApiKey, ApiKeyIssued } from '../app/types.d.ts' */
/** @import { View } from './api.js' */
/** @import { ScopeMeanings } from './fields.js' */

/** This long before its end the service warns in every answer to the key, and so does its card. */
const WARNING_MS = 30 * 86_400_000;

/**
 * @param {ApiKey} key
 * @param {Action[]} actions
 */
function keyCard(key, actions) {
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

/** @type {Readonly<Record<View, string>>} */
const EMPTY = {
  used: 'No key yet. Create one to call the API.',
  unused: 'Every key was used in the last 90 days.',
  ended: 'No key has ended.',
};

/**
 * The keys of the tenant and what the signed-in user may do with them.
 * @param {Api} api
 * @param {ScopeMeanings} meanings
 * @param {(operation: string) => boolean} may
 */
function keyList(api, meanings, may) {
  /** @type {View} */ let view = 'used';
  const heading = el('h2', { id: 'keys-heading', tabindex: '-1' }, 'Keys');
  const { element, load } = pagedList({
    list: el('ul', { class: 'records' }),
    read: (cursor) => api.listApiKeys({ view, cursor }),
    item: (key) => keyCard(key, actionsOn(key)),
    empty: () => EMPTY[view],
  });
  load();
  return el('section', { class: 'record-list', 'aria-labelledby': 'keys-heading' },
    el('header', { class: 'section-header' }, heading,
      segments('Which keys', [['used', 'In use'], ['unused', 'Unused for 90 days'], ['ended', 'Ended']], (chosen) => {
        view = chosen;
        load();
      }),
      may('createApiKey') && el('button', { type: 'button', class: 'button primary', onclick: () => createKey(api, meanings, issued) }, 'Create a key')),
    element);

  /**
   * @param {ApiKey} key
   * @returns {Action[]}
   */
  function actionsOn(key) {
    if (key.status === 'expired' || key.status === 'revoked') return [];
    return offered([
      may('replaceApiKeyScopes') && { label: 'Scopes', run: () => changeScopes(api, meanings, key, (now) => changed(`Scopes of ${now.name} saved.`, now.prefix)) },
      may('updateApiKey') && { label: 'Edit', run: () => editKey(api, key, (now) => changed(`${now.name} saved.`, now.prefix)) },
      may('rotateApiKey') && key.status === 'active' && { label: 'Rotate', run: () => rotateKey(api, key, issued) },
      may('revokeApiKey') && { label: 'Revoke', danger: true, run: () => revokeKey(api, key, () => changed(`${key.name} revoked.`, null)) },
    ]);
  }

  /** @param {ApiKeyIssued} answer */
  function issued(answer) {
    showSecret(answer, () => changed(`${answer.apiKey.name} is in the list.`, answer.apiKey.prefix));
  }

  /**
   * Reads the list again, and leaves the focus where the user was working.
   * @param {string} words
   * @param {string | null} prefix
   */
  async function changed(words, prefix) {
    await load();
    (document.getElementById(`key-${prefix}`) ?? heading).focus();
    announce(words);
  }
}

/** @param {Workspace} workspace */
export function show(workspace) {
  const page = el('div', {});
  load();
  return el('div', { class: 'page' },
    workspace.current.environment === 'sandbox' && el('p', { class: 'notice warning' }, 'Sandbox mode is on: what live keys create goes to the sandbox, unless they keep to live. See ', el('a', { href: '/sandbox' }, 'Sandbox'), '.'),
    page);

  async function load() {
    await showFailure(page, async () => {
      fill(page, keyList(new Api(workspace.session), await loadScopes(), (operation) => workspace.may(operation)));
    });
  }
}
