/** @import { Api } from './api.js' */
/** @import { ApiKey, ApiKeyUpdate } from '../app/types.d.ts' */
import { el } from '../dom.js';
import { allowlistField } from './allowlist.js';
import { apiForm } from '../app/api-form.js';
import { openDialog } from '../app/dialog.js';
import { expiryField } from './expiry.js';
import { field } from '../app/field.js';
import { personalDataField } from './personal-data.js';
import { pinField } from './pin.js';

/**
 * @param {Api} api
 * @param {ApiKey} key
 * @param {(key: ApiKey) => void} changed
 */
export function editKey(api, key, changed) {
  const nameInput = el('input', { type: 'text', name: 'name', maxlength: 80, autocomplete: 'off', value: key.name });
  const name = field('Name', '/name', nameInput);
  const expiry = expiryField({ current: key.expiresAt });
  const allowlist = allowlistField(key.ipAllowlist);
  const personalData = personalDataField(key.personalData);
  const pin = pinField(key.pinEnvironment);
  pin.element.hidden = key.environment !== 'live';

  openDialog(`Edit “${key.name}”`, (close) => [apiForm({
    fields: [name, personalData, expiry, allowlist, pin],
    action: 'Save',
    cancel: close,
    submit: async () => {
      const patch = changes();
      const updated = Object.keys(patch).length === 0 ? key : await api.updateApiKey(key, patch);
      close();
      changed(updated);
    },
  })]);

  /** Only what was changed, so that two people editing different members do not undo each other. @returns {ApiKeyUpdate} */
  function changes() {
    const expiresAt = expiry.value();
    return {
      ...(nameInput.value.trim() !== key.name && { name: nameInput.value.trim() }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(allowlist.value().join() !== key.ipAllowlist.join() && { ipAllowlist: allowlist.value() }),
      ...(personalData.value() !== key.personalData && { personalData: personalData.value() }),
      ...(pin.value() !== key.pinEnvironment && { pinEnvironment: pin.value() }),
    };
  }
}
