/** @import { Field } from './field.js' */
import { el, uniqueId } from '../dom.js';
import { complain, errorList } from './field.js';

/**
 * One thing that is so or is not.
 * @param {object} options
 * @param {string} options.label
 * @param {string} options.meaning
 * @param {string} options.pointer
 * @param {boolean} [options.checked]
 * @returns {Field & { value: () => boolean }}
 */
export function checkField({ label, meaning, pointer, checked = false }) {
  const errors = errorList(uniqueId('check-error'));
  const box = el('input', { type: 'checkbox', name: pointer.slice(1), checked, 'aria-describedby': errors.id });
  return {
    pointer,
    element: el('div', { class: 'field' }, el('label', { class: 'choice' }, box, el('span', {}, label, el('span', { class: 'muted' }, meaning))), errors),
    control: box,
    complain: (messages) => complain(box, errors, messages),
    value: () => box.checked,
  };
}
