/** @import { ApiKeyIssued } from '../app/types.d.ts' */
import { copyButton } from '../clipboard.js';
import { el } from '../dom.js';
import { openDialog } from '../app/dialog.js';

/**
 * Shows the secret, once: it is in this dialog and in the answer of the service, and nowhere else.
 * @param {ApiKeyIssued} issued
 * @param {() => void} done
 */
export function showSecret({ apiKey, secret }, done) {
  const value = el('output', { class: 'secret', 'aria-label': 'Secret' }, secret);
  openDialog(`The key “${apiKey.name}” is ready`, (close) => [
    el('p', { class: 'notice warning' }, el('strong', {}, 'Copy it now. '), 'The secret is shown this once. It cannot be shown again: if it is lost, rotate the key.'),
    el('div', { class: 'secret-row' }, value, copyButton({ text: () => secret, selectable: () => value, className: 'button primary' })),
    el('dl', { class: 'facts' },
      el('div', {}, el('dt', {}, 'As an API key'), el('dd', {}, 'send it in the header ', el('code', {}, 'X-API-Key'))),
      el('div', {}, el('dt', {}, 'For an OAuth token'), el('dd', {}, el('code', {}, 'client_id'), ' is ', el('code', {}, apiKey.prefix), ', and ', el('code', {}, 'client_secret'), ' is the secret above'))),
    el('div', { class: 'buttons' }, el('button', { type: 'button', class: 'button', onclick: () => { close(); done(); } }, 'I have stored it')),
  ], { dismissable: false });
}
