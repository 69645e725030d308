/** @import { Field } from './field.js' */
import { el, uniqueId } from '../dom.js';
import { complain, errorList } from './field.js';

/**
 * Whether a live key ignores the sandbox switch.
 * @param {boolean} pinned
 * @returns {Field & { value: () => boolean }}
 */
export function pinField(pinned) {
  const errors = errorList(uniqueId('pin-error'));
  const box = el('input', { type: 'checkbox', name: 'pinEnvironment', checked: pinned, 'aria-describedby': errors.id });
  return {
    pointer: '/pinEnvironment',
    element: el('div', { class: 'field' },
      el('label', { class: 'choice' }, box, el('span', {}, 'Keep to live', el('span', { class: 'muted' }, 'Never writes to the sandbox, even while sandbox mode is on'))),
      errors),
    control: box,
    complain: (messages) => complain(box, errors, messages),
    value: () => box.checked,
  };
}
