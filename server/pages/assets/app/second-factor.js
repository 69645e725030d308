/** @import { ApiError } from './api-error.js' */
import { el } from '../dom.js';
import { codeField } from './code-field.js';
import { field } from './field.js';

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
