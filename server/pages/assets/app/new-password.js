/** @import { ApiError } from './api-error.js' */
import { el, fill } from '../dom.js';
import { field } from './field.js';

/** Why the service refuses a password. @type {Readonly<Record<string, string>>} */
const REASONS = {
  too_short: 'Too short: at least 15 characters, 12 for those with a second factor, or what the tenant demands.',
  common: 'Among the passwords that are guessed first.',
  repetitive: 'Repeats itself, or follows the alphabet.',
  contains_email: 'Contains a part of your e-mail.',
  contains_tenant_name: 'Contains the name of the tenant.',
};

/** What is enough for a password without a second factor, and with one. */
const ALONE = 15;
const WITH_FACTOR = 12;

/**
 * A password to be chosen. Its length is counted while one types; what else is wrong with it only the service can say,
 * and it stands here until the password is changed.
 * @param {string} pointer
 * @param {{ label?: string, mfaEnabled?: boolean }} [options]
 */
export function newPasswordField(pointer, { label = 'New password', mfaEnabled = false } = {}) {
  const enough = mfaEnabled ? WITH_FACTOR : ALONE;
  const input = el('input', { type: 'password', name: 'newPassword', autocomplete: 'new-password', maxlength: 128 });
  const count = el('p', { class: 'hint password-length', 'aria-live': 'polite' });
  const show = el('label', { class: 'show-password' }, el('input', { type: 'checkbox', onchange: reveal }), 'Show it');
  const base = field(label, pointer, input, `At least ${enough} characters, a few words for example. No rules about kinds of characters.`,
    el('div', { class: 'below' }, count, show));
  input.addEventListener('input', () => {
    const length = [...input.value].length;
    fill(count, length === 0 ? null : length < enough ? `${length} of ${enough} characters` : `${length} characters: long enough`);
    count.classList.toggle('good', length >= enough);
    base.complain([]);
  });
  return {
    ...base,
    value: () => input.value,
    /** Takes over what concerns the password. @param {ApiError} error */
    handle: (error) => {
      const reasons = error.code === 'password_reused' ? ['One of your last five passwords.'] : (error.problem?.reasons ?? []).map((reason) => REASONS[reason] ?? reason);
      if (!['weak_password', 'password_reused'].includes(error.code)) return false;
      base.complain(reasons);
      input.focus();
      return true;
    },
  };

  /** @param {Event} event */
  function reveal({ target }) {
    input.type = /** @type {HTMLInputElement} */ (target).checked ? 'text' : 'password';
  }
}
