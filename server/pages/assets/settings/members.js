/** @import { Field } from '../app/field.js' */
import { el, uniqueId } from '../dom.js';
import { checkField } from '../app/check-field.js';
import { complain, errorList, field } from '../app/field.js';

/**
 * One member of a section and how it is edited.
 * @typedef {object} Member
 * @property {string} path of the member within its section, its steps apart by a slash
 * @property {(pointer: string, value: unknown) => Field & { value: () => unknown }} control
 */

/**
 * A text; empty means none.
 * @param {string} path
 * @param {string} label
 * @param {string | null} [hint]
 * @param {string} [type]
 * @returns {Member}
 */
export function text(path, label, hint = null, type = 'text') {
  return { path, control: (pointer, value) => {
    const input = el('input', { type, name: path, maxlength: 254, autocomplete: 'off', value: typeof value === 'string' ? value : '' });
    return { ...field(label, pointer, input, hint), value: () => (input.value.trim() === '' ? null : input.value.trim()) };
  } };
}

/**
 * A number; empty means none, where the contract knows none.
 * @param {string} path
 * @param {string} label
 * @param {string | null} [hint]
 * @param {number | 'any'} [step]
 * @returns {Member}
 */
export function number(path, label, hint = null, step = 1) {
  return { path, control: (pointer, value) => {
    const input = el('input', { type: 'number', name: path, step, value: typeof value === 'number' ? value : '' });
    return { ...field(label, pointer, input, hint), value: () => (Number.isNaN(input.valueAsNumber) ? null : input.valueAsNumber) };
  } };
}

/**
 * @param {string} path
 * @param {string} label
 * @param {string} meaning
 * @returns {Member}
 */
export function flag(path, label, meaning) {
  return { path, control: (pointer, value) => checkField({ label, meaning, pointer, checked: value === true }) };
}

/**
 * @param {string} path
 * @param {string} label
 * @param {readonly (readonly [string, string])[]} choices
 * @returns {Member}
 */
export function choice(path, label, choices) {
  return { path, control: (pointer, value) => {
    const select = el('select', { name: path }, choices.map(([code, words]) => el('option', { value: code, selected: code === value }, words)));
    return { ...field(label, pointer, select), value: () => select.value };
  } };
}

/**
 * Several of a few.
 * @param {string} path
 * @param {string} label
 * @param {readonly (readonly [string, string])[]} choices
 * @returns {Member}
 */
export function several(path, label, choices) {
  return { path, control: (pointer, value) => {
    const errors = errorList(uniqueId('several-error'));
    const boxes = choices.map(([code]) => el('input', { type: 'checkbox', name: path, value: code, checked: Array.isArray(value) && value.includes(code) }));
    const element = el('fieldset', { class: 'field', 'aria-describedby': errors.id }, el('legend', {}, label),
      el('div', { class: 'pair' }, choices.map(([, words], index) => el('label', { class: 'choice' }, boxes[index], el('span', {}, words)))), errors);
    return {
      pointer, element, control: /** @type {HTMLElement} */ (boxes[0]), complain: (messages) => complain(element, errors, messages),
      value: () => boxes.filter(({ checked }) => checked).map((box) => box.value),
    };
  } };
}

/**
 * A list, one item a line.
 * @param {string} path
 * @param {string} label
 * @param {string | null} [hint]
 * @returns {Member}
 */
export function lines(path, label, hint = null) {
  return { path, control: (pointer, value) => {
    const area = el('textarea', { name: path, rows: 3, spellcheck: 'false', autocomplete: 'off' });
    area.value = Array.isArray(value) ? value.join('\n') : '';
    return { ...field(label, pointer, area, hint), value: () => area.value.split('\n').map((line) => line.trim()).filter((line) => line !== '') };
  } };
}
