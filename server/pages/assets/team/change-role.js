/** @import { Hands } from './actions.js' */
/** @import { User } from './api.js' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { openDialog } from '../app/dialog.js';
import { roleField } from './role-field.js';

/**
 * @param {User} user
 * @param {Hands} hands
 */
export function changeRole(user, { api, workspace, changed }) {
  const role = roleField(user.role, workspace.current.user.role === 'owner');
  openDialog(`Role of ${user.name || user.email}`, (close) => [
    el('p', { class: 'muted' }, 'The change applies at once. Open sessions may have to sign in again.'),
    apiForm({
      fields: [role],
      action: 'Save the role',
      cancel: close,
      submit: async () => {
        const { id } = role.value() === user.role ? user : await api.updateUser(user, { role: role.value() });
        close();
        changed(`Role of ${user.name || user.email} saved.`, id);
      },
    }),
  ]);
}
