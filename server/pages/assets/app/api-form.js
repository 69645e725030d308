/** @import { Field } from './field.js' */
import { el, fill } from '../dom.js';
import { ApiError } from './api-error.js';
import { sortErrors } from './field-errors.js';

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
