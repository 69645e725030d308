/** @import { Workspace } from '../app/workspace.js' */
/** @import { Hands } from './actions.js' */
/** @import { Api, User } from './api.js' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { openDialog } from '../app/dialog.js';
import { field } from '../app/field.js';
import { idempotencyKeys, randomKey } from '../app/idempotency.js';
import { safeLink } from '../app/links.js';
import { roleField } from './role-field.js';

/**
 * @param {Api} api
 * @param {Workspace} workspace
 * @param {Hands['changed']} changed
 */
export function inviteUser(api, workspace, changed) {
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
        const user = await api.inviteUser(body, keyFor(body));
        close();
        changed(`${user.email} is invited.`, user.id);
      },
    }),
  ]);
}

/**
 * A new link; the old one dies.
 * @param {User} user
 * @param {Hands} hands
 */
export function sendAgain(user, { api, changed }) {
  const key = randomKey();
  openDialog('Send the invitation again?', (close) => [
    el('p', {}, `${user.email} gets a new link, and the old one stops working.`),
    apiForm({
      action: 'Send again',
      cancel: close,
      submit: async () => {
        await api.inviteUser({ email: user.email, role: user.role === 'platform_admin' ? 'viewer' : user.role }, key);
        close();
        changed(`${user.email} has a new link.`, user.id);
      },
    }),
  ]);
}
