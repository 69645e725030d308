import { el, fill, uniqueId } from '../dom.js';

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
