/** This module holds the dialogs that create, edit, rotate and revoke API keys and that show a new secret once. */
import { idempotencyKeys } from '../app/api.js';
import { openDialog } from '../app/components.js';
import { apiForm, complain, errorList, field } from '../app/form.js';
import { relativeTime } from '../app/format.js';
import { copyButton } from '../clipboard.js';
import { el, uniqueId } from '../dom.js';
import { allowlistField, expiryField, personalDataField, pinField, scopesField } from './fields.js';
/** @import { ApiKey, ApiKeyIssued, ApiKeyUpdate } from '../app/types.d.ts' */
/** @import { Api } from './api.js' */
/** @import { ScopeMeanings } from './fields.js' */

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

/** @type {readonly (readonly [number, string])[]} */
const GRACE_PERIODS = [[0, 'Ends at once'], [1, '1 hour'], [24, '1 day'], [48, '2 days'], [168, '7 days']];

/**
 * @param {Api} api
 * @param {ApiKey} key
 * @param {(issued: ApiKeyIssued) => void} rotated
 */
export function rotateKey(api, key, rotated) {
  const hours = el('select', { name: 'graceHours' }, GRACE_PERIODS.map(([value, label]) => el('option', { value, selected: value === 24 }, label)));
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

/**
 * Shows the secret, once: it is in this dialog and in the answer of the service, and nowhere else.
 * @param {ApiKeyIssued} issued
 * @param {() => void} done
 */
export function showSecret({ apiKey, secret }, done) {
  const value = el('output', { class: 'secret', 'aria-label': 'Secret' }, secret);
  openDialog(`The key “${apiKey.name}” is ready`, (close) => [
    el('p', { class: 'notice warning' }, el('strong', {}, 'Copy it now. '), 'The secret is shown this once. It cannot be shown again: if it is lost, rotate the key.'),
    el('div', { class: 'secret-row' }, value, copyButton({ text: () => secret, selectable: () => value, className: 'button primary' })),
    el('dl', { class: 'facts' },
      el('div', {}, el('dt', {}, 'As an API key'), el('dd', {}, 'send it in the header ', el('code', {}, 'X-API-Key'))),
      el('div', {}, el('dt', {}, 'For an OAuth token'), el('dd', {}, el('code', {}, 'client_id'), ' is ', el('code', {}, apiKey.prefix), ', and ', el('code', {}, 'client_secret'), ' is the secret above'))),
    el('div', { class: 'buttons' }, el('button', { type: 'button', class: 'button', onclick: () => { close(); done(); } }, 'I have stored it')),
  ], { dismissable: false });
}
