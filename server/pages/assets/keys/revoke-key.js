/** @import { Api } from './api.js' */
/** @import { ApiKey } from '../app/types.d.ts' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { openDialog } from '../app/dialog.js';
import { relativeTime } from '../app/time.js';

/**
 * @param {Api} api
 * @param {ApiKey} key
 * @param {() => void} revoked
 */
export function revokeKey(api, key, revoked) {
  openDialog(`Revoke “${key.name}”?`, (close) => [
    el('p', {}, 'The key ', el('code', {}, key.prefix), ' and every token issued from it stop working at once. This cannot be undone.'),
    el('p', { class: 'muted' }, key.lastUsedAt === null ? 'It was never used.' : ['Last used ', relativeTime(key.lastUsedAt), '.']),
    apiForm({
      action: 'Revoke key',
      danger: true,
      cancel: close,
      submit: async () => {
        await api.revokeApiKey(key);
        close();
        revoked();
      },
    }),
  ]);
}
