/** @import { Control, Member } from './members.js' */
import { el, fill, uniqueId } from '../dom.js';
import { complain, errorList } from '../app/field.js';

/** @typedef {Readonly<Record<string, unknown>>} Entry */

/**
 * A list of records, each of them a row of fields.
 * @param {object} options
 * @param {string} options.path
 * @param {string} options.label
 * @param {readonly Member[]} options.columns
 * @param {string} options.noun of one record
 * @param {(entry: Entry) => string} options.words
 * @returns {Member}
 */
export function records({ path, label, columns, noun, words }) {
  return { path, label, items: (value) => entriesOf(value).map(words), control: (pointer, value) => {
    /** @type {Control[][]} */ let rows = [];
    const errors = errorList(uniqueId('records-error'));
    const list = el('div', { class: 'rows' });
    const adder = el('button', { type: 'button', class: 'button small', onclick: add }, `Add a ${noun}`);
    const element = el('fieldset', { class: 'field', 'aria-describedby': errors.id }, el('legend', {}, label), list, errors, adder);
    draw(entriesOf(value));
    return {
      pointer, element, control: adder, value: entries, complain: (messages) => complain(element, errors, messages),
      // The rows first: a complaint about a row is also one about the list.
      fields: () => [...rows.flat(), { pointer, element, control: adder, complain: (/** @type {string[]} */ messages) => complain(element, errors, messages) }],
    };

    /** Drawn anew whenever a row comes or goes, because the pointers of the others count the rows. @param {readonly Entry[]} shown */
    function draw(shown) {
      rows = shown.map((entry, at) => columns.map((column) => column.control(`${pointer}/${at}/${column.path}`, entry[column.path])));
      fill(list, rows.map((row, at) => el('div', { role: 'group', 'aria-label': `${noun} ${at + 1}` }, row.map((part) => part.element),
        el('button', { type: 'button', class: 'button quiet small danger', 'aria-label': `Remove ${noun} ${at + 1}`, onclick: () => remove(at) }, 'Remove'))));
    }

    /** Without what is empty, so that it is missed by its name. */
    function entries() {
      return rows.map((row) => Object.fromEntries(row.flatMap((part, index) => {
        const given = part.value();
        return given === null ? [] : [[columns[index]?.path ?? '', given]];
      })));
    }

    function add() {
      draw([...entries(), {}]);
      rows.at(-1)?.[0]?.control.focus();
    }

    /** @param {number} at */
    function remove(at) {
      draw(entries().filter((_, index) => index !== at));
      adder.focus();
    }
  } };
}

/** @param {unknown} value @returns {readonly Entry[]} */
function entriesOf(value) {
  return Array.isArray(value) ? value : [];
}
