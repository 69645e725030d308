/** @import { Field } from '../app/field.js' */
import { el } from '../dom.js';
import { field } from '../app/field.js';

/**
 * The networks a key may be used from, one a line.
 * @param {readonly string[]} networks
 * @returns {Field & { value: () => string[] }}
 */
export function allowlistField(networks) {
  const text = el('textarea', { name: 'ipAllowlist', rows: 3, spellcheck: 'false', autocomplete: 'off', placeholder: '203.0.113.0/24' });
  text.value = networks.join('\n');
  return {
    ...field('Allowed networks', '/ipAllowlist', text, 'In CIDR notation, one a line. Empty means anywhere.'),
    value: () => text.value.split('\n').map((line) => line.trim()).filter((line) => line !== ''),
  };
}
