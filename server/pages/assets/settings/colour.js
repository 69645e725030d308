/** @import { Member } from './members.js' */
import { el } from '../dom.js';
import { field } from '../app/field.js';

/**
 * A colour, written or picked.
 * @param {string} path
 * @param {string} label
 * @param {string} hint
 * @returns {Member}
 */
export function colour(path, label, hint) {
  return { path, label, items: (value) => [String(value)], control: (pointer, value) => {
    const input = el('input', { type: 'text', name: path, maxlength: 7, autocomplete: 'off', spellcheck: 'false', value: String(value) });
    const picker = el('input', { type: 'color', 'aria-label': `Pick: ${label}`, value: String(value) });
    picker.addEventListener('input', () => { input.value = picker.value; });
    input.addEventListener('input', () => { if (/^#[0-9a-f]{6}$/i.test(input.value)) picker.value = input.value; });
    const written = field(label, pointer, input, hint);
    const pair = el('div', { class: 'colour' });
    input.replaceWith(pair);
    pair.append(picker, input);
    return { ...written, value: () => input.value.trim().toLowerCase() };
  } };
}
