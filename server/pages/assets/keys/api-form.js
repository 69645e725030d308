/** @import { Field } from './field.js' */
import { el, fill } from '../dom.js';
import { ApiError } from './api-error.js';

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
    const rest = [];
    /** @type {Map<Field, string[]>} */
    const complaints = new Map();
    for (const { pointer, parameter, message } of error.problem?.errors ?? []) {
      const owner = fields.find((field) => pointer === field.pointer || pointer?.startsWith(`${field.pointer}/`));
      if (owner === undefined) rest.push(`${pointer ?? parameter ?? ''} ${message}`.trim());
      else complaints.set(owner, [...complaints.get(owner) ?? [], sentence(message, pointer?.slice(owner.pointer.length + 1))]);
    }
    for (const [field, messages] of complaints) field.complain(messages);
    [...complaints.keys()][0]?.control.focus();
    fill(alert, el('div', { class: 'notice error' }, error.message, rest.map((line) => el('p', {}, line))));
  }
}

/**
 * @param {string} message
 * @param {string | undefined} position the index of an array item, if it is one
 */
function sentence(message, position) {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return position && /^\d+$/.test(position) ? `Line ${Number(position) + 1}: ${message}` : text;
}
