/** This module describes the plain members of the settings (texts, numbers, choices, lists) and builds their form fields. */
import { checkField, complain, errorList, field } from '../app/form.js';
import { el, uniqueId } from '../dom.js';
/** @import { Field } from '../app/form.js' */
/** @import { Weakens } from './weakening.js' */

/**
 * How a value is edited. A value of several parts may have fields of their own, to each of which complaints can belong.
 * @typedef {Field & { value: () => unknown, fields?: () => Field[] }} Control
 */

/**
 * One member of a section.
 * @typedef {object} Member
 * @property {string} path of the member within its section, its steps apart by a slash; empty for the section itself
 * @property {string} label
 * @property {(value: unknown) => string[]} items what it says, in words
 * @property {(value: unknown) => string[]} [summary] the same for reading through, where that is shorter
 * @property {string} [empty] what it means that there is none
 * @property {(pointer: string, value: unknown) => Control} control
 * @property {Weakens} [weakens] whether it protects less than before; without it nothing is guarded
 */

/** @typedef {readonly (readonly [string, string])[]} Choices codes with their words */

/**
 * A text; empty means none.
 * @param {string} path
 * @param {string} label
 * @param {string | null} [hint]
 * @param {string} [type]
 * @returns {Member}
 */
export function text(path, label, hint = null, type = 'text') {
  return { path, label, items: (value) => (typeof value === 'string' ? [value] : []), control: (pointer, value) => {
    const input = el('input', { type, name: path, maxlength: 254, autocomplete: 'off', value: typeof value === 'string' ? value : '' });
    return { ...field(label, pointer, input, hint), value: () => (input.value.trim() === '' ? null : input.value.trim()) };
  } };
}

/**
 * A number; empty means none, where the contract knows none.
 * @param {string} path
 * @param {string} label
 * @param {{ hint?: string | null, step?: number | 'any', weakens?: Weakens, empty?: string }} [options]
 * @returns {Member}
 */
export function number(path, label, { hint = null, step = 1, ...guard } = {}) {
  return { path, label, ...guard, items: (value) => (typeof value === 'number' ? [String(value)] : []), control: (pointer, value) => {
    const input = el('input', { type: 'number', name: path, step, value: typeof value === 'number' ? value : '' });
    return { ...field(label, pointer, input, hint), value: () => (Number.isNaN(input.valueAsNumber) ? null : input.valueAsNumber) };
  } };
}

/**
 * @param {string} path
 * @param {string} label
 * @param {string} meaning
 * @param {Weakens} [weakens]
 * @returns {Member}
 */
export function flag(path, label, meaning, weakens) {
  return {
    path, label, ...(weakens && { weakens }), items: (value) => [value === true ? 'Yes' : 'No'],
    control: (pointer, value) => checkField({ label, meaning, pointer, checked: value === true }),
  };
}

/**
 * @param {string} path
 * @param {string} label
 * @param {Choices} choices
 * @param {Weakens} [weakens]
 * @returns {Member}
 */
export function choice(path, label, choices, weakens) {
  return { path, label, ...(weakens && { weakens }), items: (value) => [wordsOf(choices, value)], control: (pointer, value) => {
    const select = el('select', { name: path }, known(choices, [value]).map(([code, words]) => el('option', { value: code, selected: code === value }, words)));
    return { ...field(label, pointer, select), value: () => select.value };
  } };
}

/**
 * Several of a few.
 * @param {string} path
 * @param {string} label
 * @param {Choices} choices
 * @param {Weakens} [weakens]
 * @returns {Member}
 */
export function several(path, label, choices, weakens) {
  return { path, label, ...(weakens && { weakens }), items: (value) => listOf(value).map((code) => wordsOf(choices, code)), control: (pointer, value) => {
    const errors = errorList(uniqueId('several-error'));
    const offered = known(choices, listOf(value));
    const boxes = offered.map(([code]) => el('input', { type: 'checkbox', name: path, value: code, checked: listOf(value).includes(code) }));
    const element = el('fieldset', { class: 'field', 'aria-describedby': errors.id }, el('legend', {}, label),
      el('div', { class: 'pair' }, offered.map(([, words], index) => el('label', { class: 'choice' }, boxes[index], el('span', {}, words)))), errors);
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
 * @param {{ hint?: string | null, rows?: number, weakens?: Weakens, empty?: string }} [options]
 * @returns {Member}
 */
export function lines(path, label, { hint = null, rows = 3, ...guard } = {}) {
  return { path, label, ...guard, items: listOf, control: (pointer, value) => {
    const area = el('textarea', { name: path, rows, spellcheck: 'false', autocomplete: 'off' });
    area.value = listOf(value).join('\n');
    return { ...field(label, pointer, area, hint), value: () => area.value.split('\n').map((line) => line.trim()).filter((line) => line !== '') };
  } };
}

/** @param {unknown} value @returns {string[]} */
export function listOf(value) {
  return Array.isArray(value) ? value.map(String) : [];
}

/** @param {Choices} choices @param {unknown} code */
function wordsOf(choices, code) {
  return choices.find(([known]) => known === code)?.[1] ?? String(code);
}

/** Enums of answers are open: what is new to this page is kept, by its code. @param {Choices} choices @param {readonly unknown[]} codes @returns {Choices} */
export function known(choices, codes) {
  return [...choices, ...codes.filter((code) => !choices.some(([other]) => other === code)).map((code) => /** @type {const} */ ([String(code), String(code)]))];
}
