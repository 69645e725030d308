import { el, fill } from '../dom.js';
import { ApiError } from './api-error.js';

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
