/** @import { DoorOptions } from '../app/routes.js' */
/** @import { ApiError } from '../app/api-error.js' */
/** @import { TokenPair } from '../app/types.d.ts' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { field } from '../app/field.js';
import { newPasswordField } from '../app/new-password.js';
import { request } from '../app/request.js';
import { secondFactor } from '../app/second-factor.js';
import { doorCard } from './card.js';

/** Joins a tenant with the secret of the link, and signs in. @param {DoorOptions} options */
export function show({ token, signedIn }) {
  if (token === null) {
    return doorCard('Open the link again',
      el('p', {}, 'This page works with the link from the mail only, and keeps nothing of it when it is reloaded. Open the link once more, or ask whoever invited you for another.'),
      el('p', {}, el('a', { href: '/sign-in' }, 'Sign in instead')));
  }
  const name = el('input', { type: 'text', name: 'name', autocomplete: 'name', maxlength: 120 });
  const nameField = field('Your name', '/name', name, 'As colleagues and the audit log shall see it.');
  const password = newPasswordField('/password', { label: 'Password' });
  const factor = secondFactor();
  return doorCard('Welcome',
    el('p', { class: 'muted' }, 'Choose a password and you are in. If your address has an account here already, give the password of that account.'),
    apiForm({
      fields: [nameField, password, ...factor.fields],
      content: [nameField.element, password.element, factor.element],
      action: 'Join',
      submit: async () => {
        const body = { token, name: name.value.trim(), password: password.value(), ...factor.value() };
        await signedIn(/** @type {TokenPair} */ (await request('POST', '/v1/auth/invitations/accept', { body })));
      },
      handle: (error) => password.handle(error) || factor.handle(error) || known(error),
    }),
    el('p', {}, el('a', { href: '/forgot' }, 'Forgot the password of your account?')));

  /** The address has an account already. @param {ApiError} error */
  function known(error) {
    if (error.code !== 'invalid_credentials') return false;
    password.complain(['Your address has an account already, and this is not its password.']);
    password.control.focus();
    return true;
  }
}
