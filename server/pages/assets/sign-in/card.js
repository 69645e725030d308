import { el } from '../dom.js';

/**
 * One thing to do for somebody who is not signed in.
 * @param {string} title
 * @param {...import('../dom.js').Child} content
 */
export function doorCard(title, ...content) {
  return el('div', { class: 'welcome' }, el('section', { class: 'card sign-in', 'aria-labelledby': 'door' },
    el('h2', { id: 'door', tabindex: '-1' }, title), ...content));
}
