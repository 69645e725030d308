/** This module builds forms that show the errors of the API beside the fields to which their JSON Pointers belong. */
import { el, fill, uniqueId } from '../dom.js';
import { ApiError } from './api.js';
/** @import { Problem } from './types.d.ts' */

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

/**
 * Six digits of an authenticator.
 * @param {string} pointer
 * @param {string} [label]
 * @returns {Field & { value: () => string }}
 */
export function codeField(pointer, label = 'Code of your authenticator') {
  const input = el('input', { type: 'text', name: 'totpCode', inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: 7, spellcheck: 'false', class: 'code-input', placeholder: '000000' });
  return { ...field(label, pointer, input), value: () => input.value.replace(/\s/g, '') };
}

/** For people; the messages of the other codes need no translation. @type {Readonly<Record<string, string>>} */
const WORDS = {
  required: 'Required', too_short: 'Too short', too_long: 'Too long', too_few_items: 'Choose at least one',
  pattern: 'Not in the expected form', format: 'Not in the expected form',
};

/**
 * Which field each error belongs to, by its JSON Pointer. Of several complaints about one value the first is enough.
 * @param {NonNullable<Problem['errors']>} errors
 * @param {readonly Field[]} fields
 */
function sortErrors(errors, fields) {
  /** @type {Map<Field, string[]>} */
  const complaints = new Map();
  /** @type {string[]} */
  const rest = [];
  const seen = new Set();
  for (const { pointer = '', parameter = '', code, message } of errors) {
    if (seen.has(pointer)) continue;
    seen.add(pointer);
    const owner = fields.find((field) => pointer === field.pointer || pointer.startsWith(`${field.pointer}/`));
    const text = WORDS[code] ?? message;
    if (owner === undefined) rest.push(`${pointer || parameter}: ${text}`);
    else complaints.set(owner, [...complaints.get(owner) ?? [], linePrefix(pointer.slice(owner.pointer.length + 1)) + capitalised(text)]);
  }
  return { complaints, rest };
}

/** Lists are edited one item a line. @param {string} position */
function linePrefix(position) {
  return /^\d+$/.test(position) ? `Line ${Number(position) + 1}: ` : '';
}

/** @param {string} text */
function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A form whose errors come from the API: every message of the problem document stands beside the field that its JSON
 * Pointer names, and what belongs to no field stands above the buttons.
 * @param {object} options
 * @param {Field[]} [options.fields]
 * @param {Node[]} [options.content] instead of the fields one below the other
 * @param {string} options.action
 * @param {boolean} [options.danger]
 * @param {() => void} [options.cancel]
 * @param {() => Promise<void>} options.submit
 * @param {(error: ApiError) => boolean} [options.handle] takes an error over, by answering true
 */
export function apiForm({ fields = [], content = fields.map(({ element }) => element), action, danger = false, cancel, submit, handle = () => false }) {
  const alert = el('div', { role: 'alert' });
  const button = el('button', { type: 'submit', class: `button ${danger ? 'danger' : 'primary'}` }, action);
  // `post` and the page's policy keep a password out of the address even if this script were not there.
  return el('form', { method: 'post', novalidate: true, onsubmit: send }, content, alert, el('div', { class: 'buttons' },
    cancel && el('button', { type: 'button', class: 'button', onclick: cancel }, 'Cancel'), button));

  /** @param {SubmitEvent} event */
  async function send(event) {
    event.preventDefault();
    if (button.getAttribute('aria-disabled') === 'true') return;
    button.setAttribute('aria-disabled', 'true');
    fill(alert);
    for (const field of fields) field.complain([]);
    try {
      await submit();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!handle(error)) show(error);
    } finally {
      button.removeAttribute('aria-disabled');
    }
  }

  /** @param {ApiError} error */
  function show(error) {
    const { complaints, rest } = sortErrors(error.problem?.errors ?? [], fields);
    for (const [field, messages] of complaints) field.complain(messages);
    [...complaints.keys()][0]?.control.focus();
    fill(alert, el('div', { class: 'notice error' }, error.message, rest.map((line) => el('p', {}, line))));
  }
}
