import { el, fill, uniqueId } from '../dom.js';

/**
 * A labelled control that shows its own errors.
 * @typedef {object} Field
 * @property {string} pointer JSON Pointer of the member it edits
 * @property {HTMLElement} element
 * @property {HTMLElement} control what to focus
 * @property {(messages: string[]) => void} complain
 */

/**
 * @param {string} label
 * @param {string} pointer
 * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} control
 * @param {string | null} [hint]
 * @param {Node | null} [more] what belongs to the control and stands below it
 * @returns {Field}
 */
export function field(label, pointer, control, hint = null, more = null) {
  const id = uniqueId('field');
  control.id = id;
  const errors = errorList(`${id}-error`);
  const describedBy = [hint !== null && `${id}-hint`, `${id}-error`].filter(Boolean).join(' ');
  control.setAttribute('aria-describedby', describedBy);
  const element = el('div', { class: 'field' },
    el('label', { for: id }, label),
    hint !== null && el('p', { class: 'hint', id: `${id}-hint` }, hint),
    control, more, errors);
  return { pointer, element, control, complain: (messages) => complain(control, errors, messages) };
}

/** @param {string} id */
export function errorList(id) {
  return el('p', { class: 'field-error', id });
}

/**
 * @param {HTMLElement} control
 * @param {HTMLElement} errors
 * @param {string[]} messages
 */
export function complain(control, errors, messages) {
  fill(errors, messages.map((message) => el('span', {}, message)));
  if (messages.length > 0) control.setAttribute('aria-invalid', 'true');
  else control.removeAttribute('aria-invalid');
}
