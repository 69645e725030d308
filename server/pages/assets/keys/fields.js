/** This module holds the form fields of API keys: scopes, expiry, allowed networks and the like. */
import { request } from '../app/api.js';
import { checkField, complain, errorList, field } from '../app/form.js';
import { el, uniqueId } from '../dom.js';
/** @import { Field } from '../app/form.js' */
/** @import { PersonalDataView, Scope } from '../app/types.d.ts' */

/** @typedef {readonly (readonly [Scope, string])[]} ScopeMeanings */
/** @typedef {{ components: { securitySchemes: { oauth2: { flows: { clientCredentials: { scopes: Record<string, string> } } } } } }} PublishedContract */

/** What each scope means, in the words of the published contract. @returns {Promise<ScopeMeanings>} */
export async function loadScopes() {
  const contract = /** @type {PublishedContract} */ (await request('GET', '/openapi.json'));
  return /** @type {[Scope, string][]} */ (Object.entries(contract.components.securitySchemes.oauth2.flows.clientCredentials.scopes));
}

/**
 * One checkbox for each scope.
 * @param {ScopeMeanings} meanings
 * @param {readonly string[]} chosen
 * @returns {Field & { value: () => Scope[] }}
 */
export function scopesField(meanings, chosen) {
  const errors = errorList(uniqueId('scopes-error'));
  const boxes = meanings.map(([scope]) => el('input', { type: 'checkbox', name: 'scopes', value: scope, checked: chosen.includes(scope) }));
  const element = el('fieldset', { class: 'field', 'aria-describedby': errors.id },
    el('legend', {}, 'What the key may do'),
    el('div', { class: 'scopes' }, meanings.map(([scope, meaning], index) =>
      el('label', { class: 'choice' }, boxes[index], el('span', {}, el('code', {}, scope), el('span', { class: 'muted' }, meaning))))),
    errors);
  return {
    pointer: '/scopes',
    element,
    control: /** @type {HTMLElement} */ (boxes[0]),
    complain: (messages) => complain(element, errors, messages),
    value: () => meanings.map(([scope]) => scope).filter((_, index) => boxes[index]?.checked),
  };
}

const DAY = 86_400_000;

/** @type {readonly (readonly [string, string])[]} */
const EXPIRIES = [['30', 'In 30 days'], ['90', 'In 90 days'], ['365', 'In a year'], ['never', 'Never'], ['date', 'On a date…']];

/**
 * When a key ends. `value()` is `undefined` as long as the current expiry was not touched.
 * @param {{ preset: string } | { current: string | null }} start
 * @returns {Field & { value: () => string | null | undefined }}
 */
export function expiryField(start) {
  // Counted from here, not from the click: the same choice sent again must be the same request.
  const opened = Date.now();
  const current = 'current' in start ? start.current : undefined;
  const preset = 'preset' in start ? start.preset : current === null ? 'never' : 'date';
  const date = el('input', { type: 'date', 'aria-label': 'Expiry date', min: dateText(opened + DAY), max: dateText(opened + 730 * DAY) });
  if (current) date.value = dateText(Date.parse(current));
  const select = el('select', { name: 'expiresAt', onchange: reveal }, EXPIRIES.map(([value, label]) => el('option', { value, selected: value === preset }, label)));
  const untouched = `${select.value} ${date.value}`;
  reveal();
  return {
    ...field('Expires', '/expiresAt', select, null, date),
    value: () => (current !== undefined && `${select.value} ${date.value}` === untouched ? undefined : chosen()),
  };

  function reveal() {
    date.hidden = select.value !== 'date';
  }

  function chosen() {
    if (select.value === 'never') return null;
    // The end of the day, as people mean it, where they are. An empty date is left to the service to refuse.
    if (select.value === 'date') return date.value === '' ? '' : new Date(`${date.value}T23:59:59.999`).toISOString();
    return new Date(opened + Number(select.value) * DAY).toISOString();
  }
}

/** The local calendar date. @param {number} time */
function dateText(time) {
  const { year, month, day } = Object.fromEntries(new Intl.DateTimeFormat('en', { year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(time).map((part) => [part.type, part.value]));
  return `${year}-${month}-${day}`;
}

/**
 * The networks a key may be used from, one a line.
 * @param {readonly string[]} networks
 * @returns {Field & { value: () => string[] }}
 */
export function allowlistField(networks) {
  const text = el('textarea', { name: 'ipAllowlist', rows: 3, spellcheck: 'false', autocomplete: 'off', placeholder: '203.0.113.0/24' });
  text.value = networks.join('\n');
  return {
    ...field('Allowed networks', '/ipAllowlist', text, 'In CIDR notation, one a line. Empty means anywhere.'),
    value: () => text.value.split('\n').map((line) => line.trim()).filter((line) => line !== ''),
  };
}

/** How much of persons a key is shown. @param {PersonalDataView} current */
export function personalDataField(current) {
  const shown = checkField({
    label: 'Show persons in full', meaning: 'Applicants and their documents as they are, not masked. Only an owner can grant it', pointer: '/personalData', checked: current === 'full',
  });
  return { ...shown, value: () => /** @type {PersonalDataView} */ (shown.value() ? 'full' : 'masked') };
}

/** Whether a live key ignores the sandbox switch. @param {boolean} checked */
export function pinField(checked) {
  return checkField({ label: 'Keep to live', meaning: 'Never touches the sandbox, even while sandbox mode is on', pointer: '/pinEnvironment', checked });
}
