/** @import { Workspace } from '../app/workspace.js' */
/** @import { Api } from './api.js' */
import { el } from '../dom.js';
import { announce } from '../app/announce.js';
import { apiForm } from '../app/api-form.js';
import { newPasswordField } from '../app/new-password.js';
import { passwordField } from './password-field.js';

/**
 * @param {Api} api
 * @param {Workspace} workspace
 * @param {() => void} changed
 */
export function passwordCard(api, workspace, changed) {
  const current = passwordField('/currentPassword');
  const chosen = newPasswordField('/newPassword', { mfaEnabled: workspace.current.user.mfaEnabled });
  const form = apiForm({
    fields: [current, chosen],
    action: 'Change the password',
    submit: async () => {
      await api.changePassword({ currentPassword: current.value(), newPassword: chosen.value() });
      form.reset();
      workspace.passwordOutdated = false;
      announce('The password is changed. Your other sessions have ended.');
      changed();
    },
    handle: (error) => current.handle(error) || chosen.handle(error),
  });
  return el('section', { class: 'card stack', 'aria-labelledby': 'password-heading' },
    el('h2', { id: 'password-heading' }, 'Password'),
    workspace.passwordOutdated && el('p', { class: 'notice warning' }, 'Your password does not meet the rules any more. Choose another.'),
    form);
}
