import { el } from '../dom.js';

/** @typedef {{ label: string, danger?: boolean, run: () => void }} Action */
/** @typedef {import('../dom.js').Child} Child */

/**
 * One record of a list: its name, what it is, facts about it, and what may be done with it.
 * @param {object} options
 * @param {string} options.id of the heading, which takes the focus after a change
 * @param {string} options.title
 * @param {readonly (readonly [string, string])[]} options.badges kind and words
 * @param {Child} options.subtitle
 * @param {Child[]} options.facts
 * @param {Child[]} [options.more]
 * @param {readonly Action[]} options.actions
 */
export function recordCard({ id, title, badges, subtitle, facts, more = [], actions }) {
  return el('article', { class: 'card record', 'aria-labelledby': id },
    el('header', {},
      el('h3', { id, tabindex: '-1' }, title),
      el('p', { class: 'badges' }, badges.map(([kind, words]) => el('span', { class: `badge ${kind}` }, words)))),
    el('p', { class: 'subtitle' }, subtitle),
    el('dl', { class: 'facts' }, facts),
    more,
    actions.length > 0 && el('div', { class: 'actions' }, actions.map(({ label, danger, run }) =>
      el('button', { type: 'button', class: `button quiet small${danger ? ' danger' : ''}`, onclick: run }, label, el('span', { class: 'visually-hidden' }, ` (${title})`)))));
}

/**
 * @param {string} name
 * @param {...(Child | Child[])} value
 */
export function fact(name, ...value) {
  return el('div', {}, el('dt', {}, name), el('dd', {}, ...value));
}

/** Those that are offered. @param {(Action | false)[]} actions @returns {Action[]} */
export function offered(actions) {
  return actions.filter((action) => action !== false);
}
