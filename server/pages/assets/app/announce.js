/** Says what has happened: on the screen for a while, and to screen readers. */
import { el } from '../dom.js';

/** @param {string} words */
export function announce(words) {
  const announcer = document.getElementById('announcer');
  if (announcer !== null) announcer.textContent = words;
  document.querySelector('.toast')?.remove();
  const toast = el('p', { class: 'toast', 'aria-hidden': 'true' }, words);
  document.body.append(toast);
  setTimeout(() => toast.remove(), 5000);
}
