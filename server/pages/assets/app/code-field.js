/** @import { Field } from './field.js' */
import { el } from '../dom.js';
import { field } from './field.js';

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
