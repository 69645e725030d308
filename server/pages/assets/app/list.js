/** This module builds lists that are read page by page with the cursors of the API, with their filters. */
import { el, fill, uniqueId } from '../dom.js';
import { ApiError } from './api.js';

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

/**
 * A choice between a few views, shown side by side.
 * @template {string} T
 * @param {string} label
 * @param {readonly (readonly [T, string])[]} choices the first is chosen at the start
 * @param {(choice: T) => void} onchoose
 */
export function segments(label, choices, onchoose) {
  const buttons = choices.map(([value, words], index) =>
    el('button', { type: 'button', 'aria-pressed': String(index === 0), onclick: () => choose(value) }, words));
  return el('div', { class: 'views', role: 'group', 'aria-label': label }, buttons);

  /** @param {T} chosen */
  function choose(chosen) {
    choices.forEach(([value], index) => buttons[index]?.setAttribute('aria-pressed', String(value === chosen)));
    onchoose(chosen);
  }
}

/**
 * A list that is read page by page, and says when it is empty or cannot be read.
 * @template T
 * @param {object} options
 * @param {HTMLElement} options.list what holds the items
 * @param {HTMLElement} [options.around] what holds the list, a table for example
 * @param {(cursor: string | null) => Promise<{ items: T[], cursor: string | null, hasMore: boolean }>} options.read
 * @param {(item: T) => Node} options.item
 * @param {() => string} options.empty
 */
export function pagedList({ list, around = list, read, item, empty }) {
  /** @type {string | null} */ let cursor = null;
  let latest = 0;
  const message = el('div', { class: 'list-message' });
  const more = el('button', { type: 'button', class: 'button', hidden: true, onclick: () => load(true) }, 'Show more');
  return { element: el('div', { class: 'paged' }, message, around, more), load: () => load(false) };

  /** @param {boolean} next the page after those shown, instead of the first */
  async function load(next) {
    const mine = ++latest;
    list.setAttribute('aria-busy', 'true');
    try {
      const page = await read(next ? cursor : null);
      // Asked again meanwhile, with other filters for example: only the latest answer counts.
      if (mine !== latest) return;
      cursor = page.hasMore ? page.cursor : null;
      const nodes = page.items.map(item);
      if (next) list.append(...nodes);
      else list.replaceChildren(...nodes);
      around.hidden = list.childElementCount === 0;
      fill(message, list.childElementCount === 0 && el('p', { class: 'empty' }, empty()));
      more.hidden = cursor === null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (mine === latest) {
        fill(message, el('p', { class: 'notice error', role: 'alert' }, error.message), el('button', { type: 'button', class: 'button', onclick: () => load(next) }, 'Try again'));
      }
    } finally {
      if (mine === latest) list.removeAttribute('aria-busy');
    }
  }
}
