/** @import { Action } from '../app/card.js' */
/** @import { Api, View } from './api.js' */
/** @import { ScopeMeanings } from './scopes.js' */
/** @import { ApiKey, ApiKeyIssued } from '../app/types.d.ts' */
import { el } from '../dom.js';
import { announce } from '../app/announce.js';
import { offered } from '../app/card.js';
import { pagedList } from '../app/paged-list.js';
import { segments } from '../app/segments.js';
import { changeScopes } from './change-scopes.js';
import { createKey } from './create-key.js';
import { editKey } from './edit-key.js';
import { keyCard } from './key-card.js';
import { revokeKey } from './revoke-key.js';
import { rotateKey } from './rotate-key.js';
import { showSecret } from './secret.js';

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
export function keyList(api, meanings, may) {
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
