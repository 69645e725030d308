/** This module holds the form fields for credentials: a new password with its rules, and the code of a second factor. */
import { el, fill } from '../dom.js';
import { codeField, field } from './form.js';
/** @import { ApiError } from './api.js' */

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

/**
 * A code of the authenticator or, for the day it is lost, a recovery code. Hidden until it is asked for.
 * @param {{ shown?: boolean, member?: string }} [options] `member` names the code in the body
 */
export function secondFactor({ shown = false, member = 'totpCode' } = {}) {
  const code = codeField(`/${member}`);
  const input = el('input', { type: 'text', name: 'recoveryCode', autocomplete: 'off', maxlength: 12, spellcheck: 'false', class: 'code-input' });
  const recovery = field('Recovery code', '/recoveryCode', input, 'One of the ten that you stored when you enrolled. Each works once.');
  const other = el('button', { type: 'button', class: 'button quiet small', onclick: swap });
  const element = el('div', { class: 'second-factor', hidden: !shown }, code.element, recovery.element, other);
  let lost = true;
  swap();

  function swap() {
    lost = !lost;
    code.element.hidden = lost;
    recovery.element.hidden = !lost;
    other.textContent = lost ? 'Use the authenticator' : 'Use a recovery code';
    if (!element.hidden) asked().control.focus();
  }

  function asked() {
    return lost ? recovery : code;
  }

  return {
    fields: [code, recovery],
    element,
    /** What to send of it. @returns {Record<string, string>} */
    value: () => {
      if (element.hidden) return {};
      return lost ? { recoveryCode: input.value.trim() } : { [member]: code.value() };
    },
    hide: () => { element.hidden = true; },
    /** Takes over what concerns the second factor. @param {ApiError} error */
    handle: (error) => {
      if (error.code === 'mfa_required' && element.hidden) {
        element.hidden = false;
        asked().control.focus();
        return true;
      }
      if (error.code !== 'invalid_mfa_code') return false;
      asked().complain([lost ? 'Wrong, or used before.' : 'Wrong, or used before. Wait for the next code.']);
      asked().control.focus();
      return true;
    },
  };
}

/** @typedef {ReturnType<typeof secondFactor>} SecondFactor */
