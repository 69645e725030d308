/** @import { Api } from './api.js' */
/** @import { ApiKey, ApiKeyUpdate } from '../app/types.d.ts' */
import { el } from '../dom.js';
import { allowlistField } from './allowlist.js';
import { apiForm } from '../app/api-form.js';
import { checkField } from '../app/check-field.js';
import { openDialog } from '../app/dialog.js';
import { expiryField } from './expiry.js';
import { field } from '../app/field.js';
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
  const pin = pinField(key.pinEnvironment);
  pin.element.hidden = key.environment !== 'live';
  const force = checkField({ label: 'Set these networks anyway', meaning: 'Your own address is not among them', pointer: '/force' });
  force.element.hidden = true;

  openDialog(`Edit “${key.name}”`, (close) => [apiForm({
    fields: [name, expiry, allowlist, force, pin],
    action: 'Save',
    cancel: close,
    submit: async () => {
      const patch = changes();
      const updated = Object.keys(patch).length === 0 ? key : await api.updateApiKey(key, patch);
      close();
      changed(updated);
    },
    handle: (error) => {
      // Said once beside the networks; whoever means it says so and saves again.
      if (error.code === 'allowlist_locks_out_caller') force.element.hidden = false;
      return false;
    },
  })]);

  /** Only what was changed, so that two people editing different members do not undo each other. @returns {ApiKeyUpdate} */
  function changes() {
    const expiresAt = expiry.value();
    return {
      ...(nameInput.value.trim() !== key.name && { name: nameInput.value.trim() }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(allowlist.value().join() !== key.ipAllowlist.join() && { ipAllowlist: allowlist.value(), ...(force.value() && { force: true }) }),
      ...(pin.value() !== key.pinEnvironment && { pinEnvironment: pin.value() }),
    };
  }
}
