/** @import { Field } from '../app/field.js' */
/** @import { Schemas } from '../app/types.d.ts' */
import { el, uniqueId } from '../dom.js';
import { complain, errorList } from '../app/field.js';
import { ROLES } from '../app/roles.js';

/**
 * One of the roles, each with what it is for. Only an owner makes owners.
 * @param {string} chosen
 * @param {boolean} byOwner
 * @returns {Field & { value: () => Schemas['RoleInput'] }}
 */
export function roleField(chosen, byOwner) {
  const name = uniqueId('role');
  const errors = errorList(`${name}-error`);
  const roles = ROLES.filter(([role]) => byOwner || role !== 'owner');
  const buttons = roles.map(([role]) => el('input', { type: 'radio', name, value: role, checked: role === chosen }));
  const element = el('fieldset', { class: 'field', 'aria-describedby': errors.id },
    el('legend', {}, 'Role'),
    el('div', { class: 'pair' }, roles.map(([, title, meaning], index) =>
      el('label', { class: 'choice' }, buttons[index], el('span', {}, title, el('span', { class: 'muted' }, meaning))))),
    errors);
  return {
    pointer: '/role',
    element,
    control: /** @type {HTMLElement} */ (buttons[0]),
    complain: (messages) => complain(element, errors, messages),
    value: () => /** @type {Schemas['RoleInput']} */ (buttons.find(({ checked }) => checked)?.value ?? ''),
  };
}
