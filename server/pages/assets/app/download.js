import { el } from '../dom.js';

/**
 * Saves a text as a file of the user.
 * @param {string} name
 * @param {string} type
 * @param {string} text
 */
export function download(name, type, text) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  el('a', { href, download: name }).click();
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
