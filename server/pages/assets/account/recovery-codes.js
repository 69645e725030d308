import { copyButton } from '../clipboard.js';
import { el } from '../dom.js';
import { openDialog } from '../app/dialog.js';
import { download } from '../app/download.js';

/**
 * Shows the recovery codes, once: the service keeps only their hashes.
 * @param {string[]} codes
 * @param {() => void} done
 */
export function showRecoveryCodes(codes, done) {
  const list = el('ul', { class: 'recovery-codes', 'aria-label': 'Recovery codes' }, codes.map((code) => el('li', {}, el('code', {}, code))));
  const text = codes.join('\n');
  openDialog('Keep these recovery codes', (close) => [
    el('p', { class: 'notice warning' }, el('strong', {}, 'They are shown this once. '), 'Each signs you in once when the authenticator is lost. Keep them apart from it.'),
    list,
    el('div', { class: 'buttons start' },
      copyButton({ text: () => text, selectable: () => list, className: 'button' }),
      el('button', { type: 'button', class: 'button', onclick: () => download('recovery-codes.txt', 'text/plain', `${text}\n`) }, 'Download')),
    el('div', { class: 'buttons' }, el('button', { type: 'button', class: 'button primary', onclick: () => { close(); done(); } }, 'I have stored them')),
  ], { dismissable: false });
}
