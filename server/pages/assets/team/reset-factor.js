/** @import { Hands } from './actions.js' */
/** @import { User } from './api.js' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { openDialog } from '../app/dialog.js';
import { field } from '../app/field.js';

/**
 * @param {User} user
 * @param {Hands} hands
 */
export function resetFactor(user, { api, changed }) {
  const input = el('input', { type: 'text', name: 'reason', maxlength: 500, autocomplete: 'off', placeholder: 'Telephone lost, identity confirmed by video call' });
  const reason = field('Reason', '/reason', input, 'For the audit log: how you know that it is them.');
  openDialog(`Reset the second factor of ${user.name || user.email}?`, (close) => [
    el('p', {}, 'For a lost authenticator. They are signed out everywhere, and their recovery codes stop working.'),
    apiForm({
      fields: [reason],
      action: 'Reset the second factor',
      danger: true,
      cancel: close,
      submit: async () => {
        await api.resetUserMfa(user, input.value.trim());
        close();
        changed(`The second factor of ${user.name || user.email} is reset.`, user.id);
      },
    }),
  ]);
}
