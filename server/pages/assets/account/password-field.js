/** @import { ApiError } from '../app/api-error.js' */
import { el } from '../dom.js';
import { field } from '../app/field.js';

/** The password one has, to show that it is oneself. @param {string} pointer */
export function passwordField(pointer) {
  const input = el('input', { type: 'password', name: 'currentPassword', autocomplete: 'current-password', maxlength: 128 });
  const base = field('Current password', pointer, input);
  return {
    ...base,
    value: () => input.value,
    /** Takes over the word that it is wrong. @param {ApiError} error */
    handle: (error) => {
      if (error.code !== 'invalid_current_password') return false;
      base.complain(['The password is wrong.']);
      input.focus();
      return true;
    },
  };
}
