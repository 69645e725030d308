/** This module holds the components that all pages share: record cards, dialogs, announcements and failures. */
import { el, fill, uniqueId } from '../dom.js';
import { ApiError } from './api.js';

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

/**
 * A modal dialog. The browser keeps the focus inside and gives it back afterwards.
 * @param {string} title
 * @param {(close: () => void) => (Node | null)[]} content
 * @param {{ dismissable?: boolean, wide?: boolean, onclose?: () => void }} [options] a dialog that is not dismissable ends by its own buttons only
 */
export function openDialog(title, content, { dismissable = true, wide = false, onclose = () => {} } = {}) {
  const id = uniqueId('dialog');
  const close = () => dialog.close();
  const dialog = el('dialog', { class: wide && 'wide', 'aria-labelledby': id, closedby: dismissable ? 'closerequest' : 'none' });
  fill(
    dialog,
    el('header', {},
      el('h2', { id, tabindex: '-1', autofocus: !dismissable }, title),
      dismissable && el('button', { type: 'button', class: 'close', 'aria-label': 'Close', onclick: close }, '×')),
    content(close),
  );
  dialog.addEventListener('cancel', (event) => { if (!dismissable) event.preventDefault(); });
  // A closed dialog may have shown a secret: it does not stay in the document.
  dialog.addEventListener('close', () => {
    dialog.remove();
    onclose();
  });
  document.body.append(dialog);
  dialog.showModal();
  // What was opened to be filled in is filled in, not closed.
  /** @type {HTMLElement | null} */ (dialog.querySelector('form :is(input, select, textarea)'))?.focus();
}

/** When the session ends, what was open for it ends too. */
export function closeDialogs() {
  for (const dialog of document.querySelectorAll('dialog')) dialog.close();
}

/** Says what has happened: on the screen for a while, and to screen readers. @param {string} words */
export function announce(words) {
  const announcer = document.getElementById('announcer');
  if (announcer !== null) announcer.textContent = words;
  document.querySelector('.toast')?.remove();
  const toast = el('p', { class: 'toast', 'aria-hidden': 'true' }, words);
  document.body.append(toast);
  setTimeout(() => toast.remove(), 5000);
}

/**
 * Does what a part of a page needs from the service. When it refuses or cannot be reached, the part says so and offers
 * to try again.
 * @param {Element} part
 * @param {() => Promise<void>} load
 */
export async function showFailure(part, load) {
  try {
    await load();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    fill(part, el('p', { class: 'notice error', role: 'alert' }, error.message),
      el('p', {}, el('button', { type: 'button', class: 'button small', onclick: () => showFailure(part, load) }, 'Try again')));
  }
}
