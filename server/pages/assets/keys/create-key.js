/** @import { Api } from './api.js' */
/** @import { ScopeMeanings } from './scopes.js' */
/** @import { ApiKeyIssued } from '../app/types.d.ts' */
import { el, uniqueId } from '../dom.js';
import { allowlistField } from './allowlist.js';
import { apiForm } from '../app/api-form.js';
import { openDialog } from '../app/dialog.js';
import { expiryField } from './expiry.js';
import { complain, errorList, field } from '../app/field.js';
import { idempotencyKeys } from '../app/idempotency.js';
import { personalDataField } from './personal-data.js';
import { pinField } from './pin.js';
import { scopesField } from './scopes.js';

/**
 * @param {Api} api
 * @param {ScopeMeanings} meanings
 * @param {(issued: ApiKeyIssued) => void} created
 */
export function createKey(api, meanings, created) {
  const nameInput = el('input', { type: 'text', name: 'name', maxlength: 80, autocomplete: 'off', placeholder: 'Onboarding back end' });
  const name = field('Name', '/name', nameInput, 'For people: what will use the key.');
  const environment = environmentField();
  const scopes = scopesField(meanings, ['read']);
  const expiry = expiryField({ preset: '365' });
  const allowlist = allowlistField([]);
  const personalData = personalDataField('masked');
  const pin = pinField(false);
  environment.element.addEventListener('change', showPin);
  showPin();
  const keyFor = idempotencyKeys();

  openDialog('Create a key', (close) => [apiForm({
    fields: [name, environment, scopes, personalData, expiry, allowlist, pin],
    action: 'Create key',
    cancel: close,
    submit: async () => {
      const body = content();
      const issued = await api.createApiKey(body, keyFor(body));
      close();
      created(issued);
    },
  })]);

  function content() {
    const live = environment.value() === 'live';
    return {
      name: nameInput.value.trim(), environment: environment.value(), scopes: scopes.value(), personalData: personalData.value(), expiresAt: expiry.value() ?? null,
      ipAllowlist: allowlist.value(), ...(live && { pinEnvironment: pin.value() }),
    };
  }

  function showPin() {
    pin.element.hidden = environment.value() !== 'live';
  }
}

function environmentField() {
  const errors = errorList(uniqueId('environment-error'));
  const test = el('input', { type: 'radio', name: 'environment', value: 'test', checked: true });
  const live = el('input', { type: 'radio', name: 'environment', value: 'live' });
  const element = el('fieldset', { class: 'field', 'aria-describedby': errors.id }, el('legend', {}, 'Environment'),
    el('div', { class: 'pair' },
      el('label', { class: 'choice' }, test, el('span', {}, 'Test', el('span', { class: 'muted' }, 'Only ever sees the sandbox, while sandbox mode is on'))),
      el('label', { class: 'choice' }, live, el('span', {}, 'Live', el('span', { class: 'muted' }, 'Reaches production records. Not for trying things out')))),
    errors);
  return {
    pointer: '/environment', element, control: test, complain: (/** @type {string[]} */ messages) => complain(element, errors, messages),
    value: () => /** @type {'live' | 'test'} */ (live.checked ? 'live' : 'test'),
  };
}
