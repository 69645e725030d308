/** @import { Member } from './members.js' */
import { el } from '../dom.js';

/**
 * What a section says, for those who may not change it.
 * @param {readonly Member[]} members
 * @param {readonly unknown[]} values
 */
export function readout(members, values) {
  return el('dl', { class: 'facts readout' }, members.map(({ label, items, summary = items, empty = 'None' }, index) => {
    const said = summary(values[index]);
    return el('div', { class: said.length > 4 && 'whole' }, el('dt', {}, label),
      el('dd', {}, said.length > 1 ? el('ul', {}, said.map((item) => el('li', {}, item))) : said[0] ?? empty));
  }));
}
