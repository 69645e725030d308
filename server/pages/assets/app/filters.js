import { el, uniqueId } from '../dom.js';

/**
 * @typedef {object} Filter
 * @property {string} name of the parameter of the contract
 * @property {string} label
 * @property {readonly (readonly [string, string])[]} [choices] the first is chosen at the start; without choices it is a text
 * @property {string} [type] of the input
 * @property {string} [placeholder]
 * @property {readonly string[]} [suggestions]
 * @property {boolean} [rare] stands behind “More filters”
 */

/** How long to wait for the next letter. */
const PAUSE_MS = 300;

/**
 * A row of filters. What is typed counts after a short pause, what is chosen at once.
 * @param {readonly Filter[]} filters
 * @param {() => void} onchange
 */
export function filterRow(filters, onchange) {
  let timer = 0;
  const fields = filters.map((filter) => ({ ...filterField(filter), rare: filter.rare === true }));
  const [usual, rare] = [fields.filter((field) => !field.rare), fields.filter((field) => field.rare)];
  const element = el('form', { class: 'filters', method: 'post', novalidate: true, role: 'search', onsubmit: submit },
    usual.map((field) => field.element),
    rare.length > 0 && el('details', {}, el('summary', {}, 'More filters'), el('div', { class: 'filters' }, rare.map((field) => field.element))));
  return {
    element,
    /** @returns {Record<string, string>} */
    values: () => Object.fromEntries(fields.map(({ control }) => [control.name, control.value])),
  };

  /** @param {Filter} filter */
  function filterField({ name, label, choices, type = 'search', placeholder, suggestions }) {
    const id = uniqueId('filter');
    const control = choices === undefined
      ? el('input', { id, type, name, placeholder, autocomplete: 'off', spellcheck: 'false', maxlength: 120, list: suggestions && `${id}-list`, oninput: soon })
      : el('select', { id, name, onchange }, choices.map(([value, words]) => el('option', { value }, words)));
    return {
      control,
      element: el('div', { class: 'field' }, el('label', { for: id }, label), control,
        suggestions && el('datalist', { id: `${id}-list` }, suggestions.map((value) => el('option', { value })))),
    };
  }

  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault();
    clearTimeout(timer);
    onchange();
  }

  function soon() {
    clearTimeout(timer);
    timer = window.setTimeout(onchange, PAUSE_MS);
  }
}
