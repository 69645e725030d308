/** This module holds what administrators can do with the members of a tenant, each action with its dialog. */
import { idempotencyKeys, randomKey } from '../app/api.js';
import { offered, openDialog } from '../app/components.js';
import { apiForm, complain, errorList, field } from '../app/form.js';
import { ROLES } from '../app/format.js';
import { safeLink } from '../app/navigation.js';
import { revokeUserSessions, sessionList } from '../app/session-list.js';
import { el, uniqueId } from '../dom.js';
/** @import { Action } from '../app/components.js' */
/** @import { Field } from '../app/form.js' */
/** @import { Workspace } from '../app/navigation.js' */
/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Api, User } from './api.js' */

/**
 * One of the roles, each with what it is for. Only an owner makes owners.
 * @param {string} chosen
 * @param {boolean} byOwner
 * @returns {Field & { value: () => Schemas['RoleInput'] }}
 */
function roleField(chosen, byOwner) {
  const name = uniqueId('role');
  const errors = errorList(`${name}-error`);
  const roles = ROLES.filter(([role]) => byOwner || role !== 'owner');
  const buttons = roles.map(([role]) => el('input', { type: 'radio', name, value: role, checked: role === chosen }));
  const element = el('fieldset', { class: 'field', 'aria-describedby': errors.id },
    el('legend', {}, 'Role'),
    el('div', { class: 'pair' }, roles.map(([, title, meaning], index) =>
      el('label', { class: 'choice' }, buttons[index], el('span', {}, title, el('span', { class: 'muted' }, meaning))))),
    errors);
  return {
    pointer: '/role',
    element,
    control: /** @type {HTMLElement} */ (buttons[0]),
    complain: (messages) => complain(element, errors, messages),
    value: () => /** @type {Schemas['RoleInput']} */ (buttons.find(({ checked }) => checked)?.value ?? ''),
  };
}

/**
 * @param {Api} api
 * @param {Workspace} workspace
 * @param {ActionContext['changed']} changed
 */
export function createInvitation(api, workspace, changed) {
  const emailInput = el('input', { type: 'email', name: 'email', maxlength: 254, autocomplete: 'off', spellcheck: 'false' });
  const email = field('E-mail', '/email', emailInput);
  const nameInput = el('input', { type: 'text', name: 'name', maxlength: 120, autocomplete: 'off' });
  const name = field('Name', '/name', nameInput, 'Left empty, they give it themselves.');
  const role = roleField('analyst', workspace.current.user.role === 'owner');
  const keyFor = idempotencyKeys();
  openDialog('Invite somebody', (close) => [
    el('p', { class: 'muted' }, 'They get a mail with a link that works for seven days.', workspace.outbox !== null && [' This installation delivers none: find it in the ', safeLink(workspace.outbox, 'outbox'), '.']),
    apiForm({
      fields: [email, name, role],
      action: 'Send the invitation',
      cancel: close,
      submit: async () => {
        const body = { email: emailInput.value.trim(), role: role.value(), ...(nameInput.value.trim() !== '' && { name: nameInput.value.trim() }) };
        const user = await api.createInvitation(body, keyFor(body));
        close();
        changed(`${user.email} is invited.`, user.id);
      },
    }),
  ]);
}

/**
 * Sends a new invitation link, which makes the old one invalid.
 * @param {User} user
 * @param {ActionContext} context
 */
function sendAgain(user, { api, changed }) {
  const key = randomKey();
  openDialog('Send the invitation again?', (close) => [
    el('p', {}, `${user.email} gets a new link, and the old one stops working.`),
    apiForm({
      action: 'Send again',
      cancel: close,
      submit: async () => {
        await api.createInvitation({ email: user.email, role: user.role === 'platform_admin' ? 'viewer' : user.role }, key);
        close();
        changed(`${user.email} has a new link.`, user.id);
      },
    }),
  ]);
}

/**
 * @param {User} user
 * @param {ActionContext} context
 */
function changeRole(user, { api, workspace, changed }) {
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
 * @param {ActionContext['changed']} changed
 */
function confirmAction({ title, text, action, danger = false, run, done, focus }, changed) {
  openDialog(title, (close) => [
    el('p', {}, text),
    apiForm({ action, danger, cancel: close, submit: async () => {
      await run();
      close();
      changed(done, focus);
    } }),
  ]);
}

/** @param {User} user @param {ActionContext} context */
function deactivate(user, { api, changed }) {
  const who = user.name || user.email;
  confirmAction({
    title: `Deactivate ${who}?`, text: 'They are signed out everywhere and cannot sign in. Their name stays in the history. They can be reactivated.',
    action: 'Deactivate', danger: true, run: () => api.updateUser(user, { status: 'deactivated' }), done: `${who} is deactivated.`, focus: user.id,
  }, changed);
}

/** @param {User} user @param {ActionContext} context */
function activate(user, { api, changed }) {
  const who = user.name || user.email;
  confirmAction({
    title: `Reactivate ${who}?`, text: 'They can sign in again, with the password and the role they had.',
    action: 'Reactivate', run: () => api.updateUser(user, { status: 'active' }), done: `${who} is active again.`, focus: user.id,
  }, changed);
}

/** @param {User} user @param {ActionContext} context */
function unlock(user, { api, changed }) {
  const who = user.name || user.email;
  confirmAction({
    title: `Unlock ${who}?`, text: 'Too many failed sign-ins locked the account. Make sure that it was them before you open it.',
    action: 'Unlock', run: () => api.updateUser(user, { unlock: true }), done: `${who} is unlocked.`, focus: user.id,
  }, changed);
}

/** @param {User} user @param {ActionContext} context */
function revoke(user, { api, changed }) {
  const { invitation } = user;
  if (invitation === null) return;
  confirmAction({
    title: `Revoke the invitation of ${user.email}?`, text: 'The link in the mail stops working. They can be invited again.',
    action: 'Revoke the invitation', danger: true, run: () => api.revokeInvitation(invitation.id), done: `The invitation of ${user.email} is revoked.`, focus: null,
  }, changed);
}

/**
 * @param {User} user
 * @param {ActionContext} context
 */
function resetFactor(user, { api, changed }) {
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

/**
 * @param {User} user
 * @param {ActionContext} context
 */
function showSessions(user, { workspace, changed }) {
  const who = user.name || user.email;
  const own = user.id === workspace.current.user.id;
  openDialog(`Sessions of ${who}`, (close) => [
    sessionList(workspace.session, user.id).element,
    workspace.may('revokeUserSessions') && !own ? apiForm({
      action: 'End all',
      danger: true,
      cancel: close,
      submit: async () => {
        await revokeUserSessions(workspace.session, user.id, null);
        close();
        changed(`All sessions of ${who} have ended.`, user.id);
      },
    }) : el('div', {}),
  ]);
}

/**
 * @typedef {object} ActionContext
 * @property {Api} api
 * @property {Workspace} workspace
 * @property {(words: string, id: string | null) => void} changed
 */

/**
 * What the signed-in user may do about somebody. Nobody changes their own role, status or second factor here, and only
 * owners change owners.
 * @param {User} user
 * @param {ActionContext} context
 * @returns {Action[]}
 */
export function actionsOn(user, context) {
  const { workspace } = context;
  const { current } = workspace;
  const above = user.role === 'owner' && current.user.role !== 'owner';
  const sessions = workspace.may('listUserSessions') && user.activeSessions > 0 && { label: 'Sessions', run: () => showSessions(user, context) };
  if (above || user.id === current.user.id) return offered([sessions]);
  const update = workspace.may('updateUser');
  if (user.status === 'invited') {
    return offered([
      workspace.may('createInvitation') && { label: 'Send again', run: () => sendAgain(user, context) },
      update && { label: 'Role', run: () => changeRole(user, context) },
      workspace.may('revokeInvitation') && { label: 'Revoke', danger: true, run: () => revoke(user, context) },
    ]);
  }
  if (user.status === 'deactivated') return offered([update && { label: 'Reactivate', run: () => activate(user, context) }]);
  return offered([
    update && user.status === 'locked' && { label: 'Unlock', run: () => unlock(user, context) },
    update && { label: 'Role', run: () => changeRole(user, context) },
    sessions,
    workspace.may('resetUserMfa') && user.mfaEnabled && { label: 'Reset second factor', run: () => resetFactor(user, context) },
    update && { label: 'Deactivate', danger: true, run: () => deactivate(user, context) },
  ]);
}
