/** @import { Action } from './key-card.js' */
/** @import { Api } from './api.js' */
/** @import { ScopeMeanings } from './scopes.js' */
/** @import { ApiKey, ApiKeyIssued } from './types.d.ts' */
import { el, fill } from '../dom.js';
import { announce } from './announce.js';
import { ApiError } from './api-error.js';
import { changeScopes } from './change-scopes.js';
import { createKey } from './create-key.js';
import { editKey } from './edit-key.js';
import { keyCard } from './key-card.js';
import { revokeKey } from './revoke-key.js';
import { rotateKey } from './rotate-key.js';
import { showSecret } from './secret.js';

/**
 * The keys of the tenant and what the signed-in user may do with them.
 * @param {Api} api
 * @param {ScopeMeanings} meanings
 * @param {(operation: string) => boolean} may
 */
export function keyList(api, meanings, may) {
  let ended = false;
  /** @type {ApiKey[]} */ let keys = [];
  /** @type {string | null} */ let cursor = null;
  const list = el('ul', { class: 'keys' });
  const message = el('div', {});
  const more = el('button', { type: 'button', class: 'button', hidden: true, onclick: () => load(true) }, 'Show more');
  const heading = el('h2', { id: 'keys-heading', tabindex: '-1' }, 'Keys');
  const views = [viewButton('In use', false), viewButton('Ended', true)];
  const element = el('section', { class: 'key-list', 'aria-labelledby': 'keys-heading' },
    el('header', { class: 'section-header' }, heading,
      el('div', { class: 'views', role: 'group', 'aria-label': 'Which keys' }, views),
      may('createApiKey') && el('button', { type: 'button', class: 'button primary', onclick: () => createKey(api, meanings, issued) }, 'Create a key')),
    message, list, more);
  load();
  return element;

  /** @param {boolean} [next] the page after those shown, instead of the first */
  async function load(next = false) {
    list.setAttribute('aria-busy', 'true');
    try {
      const page = await api.listApiKeys({ ended, cursor: next ? cursor : null });
      keys = next ? [...keys, ...page.items] : page.items;
      cursor = page.hasMore ? page.cursor : null;
      fill(message, keys.length === 0 && el('p', { class: 'empty' }, ended ? 'No key has ended.' : 'No key yet. Create one to call the API.'));
      fill(list, keys.map((key) => keyCard(key, actionsOn(key))));
      more.hidden = cursor === null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      fill(message, el('p', { class: 'notice error', role: 'alert' }, error.message), el('button', { type: 'button', class: 'button', onclick: () => load() }, 'Try again'));
    } finally {
      list.removeAttribute('aria-busy');
    }
  }

  /**
   * @param {ApiKey} key
   * @returns {Action[]}
   */
  function actionsOn(key) {
    if (ended) return [];
    return [
      may('replaceApiKeyScopes') && { label: 'Scopes', run: () => changeScopes(api, meanings, key, (now) => changed(`Scopes of ${now.name} saved.`, now.prefix)) },
      may('updateApiKey') && { label: 'Edit', run: () => editKey(api, key, (now) => changed(`${now.name} saved.`, now.prefix)) },
      may('rotateApiKey') && key.status === 'active' && { label: 'Rotate', run: () => rotateKey(api, key, issued) },
      may('revokeApiKey') && { label: 'Revoke', danger: true, run: () => revokeKey(api, key, () => changed(`${key.name} revoked.`, null)) },
    ].filter((action) => action !== false);
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

  /**
   * @param {string} label
   * @param {boolean} shows
   */
  function viewButton(label, shows) {
    return el('button', { type: 'button', 'aria-pressed': String(shows === ended), onclick: () => {
      ended = shows;
      for (const [index, view] of views.entries()) view.setAttribute('aria-pressed', String((index === 1) === ended));
      load();
    } }, label);
  }
}
