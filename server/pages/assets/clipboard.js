/** This module holds the buttons that copy a text or save it as a file. */
import { el } from './dom.js';

/**
 * Creates a button that copies a text and shows whether that worked. If the browser refuses (an origin without TLS),
 * the text is selected instead, so that the usual key combination copies it.
 * @param {{ text: () => string, selectable: () => Element, label?: string, className?: string }} options
 */
export function copyButton({ text, selectable, label = 'Copy', className = '' }) {
  const words = el('span', { 'aria-live': 'polite' }, label);
  const button = el('button', { type: 'button', class: className, onclick: copy }, words);
  let timer = 0;

  async function copy() {
    words.textContent = (await navigator.clipboard?.writeText(text()).then(() => 'Copied', select)) ?? select();
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      words.textContent = label;
    }, 2500);
  }

  function select() {
    getSelection()?.selectAllChildren(selectable());
    return 'Selected: press Ctrl+C';
  }

  return button;
}

/**
 * Saves a text as a file of the user.
 * @param {string} name
 * @param {string} type
 * @param {string} text
 */
export function download(name, type, text) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  el('a', { href, download: name }).click();
  // By then the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
