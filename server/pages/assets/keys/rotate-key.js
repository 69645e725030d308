/** @import { Api } from './api.js' */
/** @import { ApiKey, ApiKeyIssued } from '../app/types.d.ts' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { openDialog } from '../app/dialog.js';
import { field } from '../app/field.js';
import { idempotencyKeys } from '../app/idempotency.js';

/** @type {readonly (readonly [number, string])[]} */
const GRACE = [[0, 'Ends at once'], [1, '1 hour'], [24, '1 day'], [48, '2 days'], [168, '7 days']];

/**
 * @param {Api} api
 * @param {ApiKey} key
 * @param {(issued: ApiKeyIssued) => void} rotated
 */
export function rotateKey(api, key, rotated) {
  const hours = el('select', { name: 'graceHours' }, GRACE.map(([value, label]) => el('option', { value, selected: value === 24 }, label)));
  const grace = field('The old key keeps working for', '/graceHours', hours);
  const keyFor = idempotencyKeys();
  openDialog(`Rotate “${key.name}”`, (close) => [
    el('p', { class: 'muted' }, 'You get a new key with the same name, scopes, networks and expiry. Change your systems over to it before the old one ends.'),
    apiForm({
      fields: [grace],
      action: 'Rotate key',
      cancel: close,
      submit: async () => {
        const graceHours = Number(hours.value);
        const issued = await api.rotateApiKey(key, graceHours, keyFor(graceHours));
        close();
        rotated(issued);
      },
    }),
  ]);
}
