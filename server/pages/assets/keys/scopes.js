/** @import { Field } from '../app/field.js' */
/** @import { Scope } from '../app/types.d.ts' */
import { el, uniqueId } from '../dom.js';
import { complain, errorList } from '../app/field.js';
import { request } from '../app/request.js';

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
