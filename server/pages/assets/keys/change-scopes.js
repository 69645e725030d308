/** @import { Api } from './api.js' */
/** @import { ScopeMeanings } from './scopes.js' */
/** @import { ApiKey } from '../app/types.d.ts' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { openDialog } from '../app/dialog.js';
import { scopesField } from './scopes.js';

/**
 * @param {Api} api
 * @param {ScopeMeanings} meanings
 * @param {ApiKey} key
 * @param {(key: ApiKey) => void} changed
 */
export function changeScopes(api, meanings, key, changed) {
  const scopes = scopesField(meanings, key.scopes);
  openDialog(`Scopes of “${key.name}”`, (close) => [
    el('p', { class: 'muted' }, 'The change applies at once, also to tokens that were already issued from this key.'),
    apiForm({
      fields: [scopes],
      action: 'Save scopes',
      cancel: close,
      submit: async () => {
        const updated = await api.replaceApiKeyScopes(key, scopes.value());
        close();
        changed(updated);
      },
    }),
  ]);
}
