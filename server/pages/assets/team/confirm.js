/** @import { Hands } from './actions.js' */
/** @import { User } from './api.js' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { openDialog } from '../app/dialog.js';

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {string} text
 * @property {string} action
 * @property {boolean} [danger]
 * @property {() => Promise<unknown>} run
 * @property {string} done
 * @property {string | null} focus
 */

/**
 * @param {Question} question
 * @param {Hands['changed']} changed
 */
function ask({ title, text, action, danger = false, run, done, focus }, changed) {
  openDialog(title, (close) => [
    el('p', {}, text),
    apiForm({ action, danger, cancel: close, submit: async () => {
      await run();
      close();
      changed(done, focus);
    } }),
  ]);
}

/** @param {User} user @param {Hands} hands */
export function deactivate(user, { api, changed }) {
  const who = user.name || user.email;
  ask({
    title: `Deactivate ${who}?`, text: 'They are signed out everywhere and cannot sign in. Their name stays in the history. They can be reactivated.',
    action: 'Deactivate', danger: true, run: () => api.updateUser(user, { status: 'deactivated' }), done: `${who} is deactivated.`, focus: user.id,
  }, changed);
}

/** @param {User} user @param {Hands} hands */
export function activate(user, { api, changed }) {
  const who = user.name || user.email;
  ask({
    title: `Reactivate ${who}?`, text: 'They can sign in again, with the password and the role they had.',
    action: 'Reactivate', run: () => api.updateUser(user, { status: 'active' }), done: `${who} is active again.`, focus: user.id,
  }, changed);
}

/** @param {User} user @param {Hands} hands */
export function unlock(user, { api, changed }) {
  const who = user.name || user.email;
  ask({
    title: `Unlock ${who}?`, text: 'Too many failed sign-ins locked the account. Make sure that it was them before you open it.',
    action: 'Unlock', run: () => api.updateUser(user, { unlock: true }), done: `${who} is unlocked.`, focus: user.id,
  }, changed);
}

/** @param {User} user @param {Hands} hands */
export function revoke(user, { api, changed }) {
  const { invitation } = user;
  if (invitation === null) return;
  ask({
    title: `Revoke the invitation of ${user.email}?`, text: 'The link in the mail stops working. They can be invited again.',
    action: 'Revoke the invitation', danger: true, run: () => api.revokeInvitation(invitation.id), done: `The invitation of ${user.email} is revoked.`, focus: null,
  }, changed);
}
