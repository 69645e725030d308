/** @import { Hands } from './page.js' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { openDialog } from '../app/dialog.js';
import { field } from '../app/field.js';

/** Into production. It needs a fresh second factor, which the session asks for. @param {Hands} hands */
export function askGoLive({ api, workspace, changed }) {
  const input = el('input', { type: 'text', name: 'note', maxlength: 500, autocomplete: 'off' });
  const note = field('Note', '/note', input, 'For the audit log; may be left empty.');
  openDialog(`Go live with ${workspace.current.tenant.name}?`, (close) => [
    el('p', {}, 'Sandbox mode goes off, and what is created from then on is real. Sandbox records stay in the sandbox.'),
    apiForm({
      fields: [note],
      action: 'Go live',
      cancel: close,
      submit: async () => {
        await api.goLive(input.value.trim());
        close();
        await workspace.refresh();
        changed(`${workspace.current.tenant.name} is live.`);
      },
    }),
  ]);
}
