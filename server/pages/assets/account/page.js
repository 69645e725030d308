/** This module is the account page: the password, the second factor and the sessions of the signed-in person. */
import { announce } from '../app/components.js';
import { newPasswordField } from '../app/credential-fields.js';
import { apiForm } from '../app/form.js';
import { sessionList } from '../app/session-list.js';
import { el } from '../dom.js';
import { Api } from './api.js';
import { factorCard, passwordField } from './factor.js';
/** @import { Workspace } from '../app/navigation.js' */

/**
 * @param {Api} api
 * @param {Workspace} workspace
 * @param {() => void} changed
 */
function passwordCard(api, workspace, changed) {
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

/** What people manage for themselves. @param {Workspace} workspace */
export function show(workspace) {
  const api = new Api(workspace.session);
  const { current: { user, mfaEnrolmentRequired } } = workspace;
  if (mfaEnrolmentRequired) return el('div', { class: 'page narrow' }, factorCard(api, workspace));
  const sessions = sessionList(workspace.session, user.id);
  return el('div', { class: 'page narrow' },
    factorCard(api, workspace),
    passwordCard(api, workspace, sessions.load),
    el('section', { class: 'card stack', 'aria-labelledby': 'sessions-heading' },
      el('h2', { id: 'sessions-heading' }, 'Where you are signed in'),
      sessions.element));
}
