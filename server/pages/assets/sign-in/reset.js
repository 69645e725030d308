/** @import { DoorOptions } from '../app/routes.js' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { newPasswordField } from '../app/new-password.js';
import { request } from '../app/request.js';
import { secondFactor } from '../app/second-factor.js';
import { doorCard } from './card.js';

/** Sets a new password with the secret of the link. @param {DoorOptions} options */
export function show({ token, leave }) {
  if (token === null) {
    return doorCard('Open the link again',
      el('p', {}, 'This page works with the link from the mail only, and keeps nothing of it when it is reloaded. Open the link once more, or ask for another.'),
      el('p', {}, el('a', { href: '/forgot' }, 'Ask for another link')));
  }
  const password = newPasswordField('/newPassword');
  const factor = secondFactor();
  return doorCard('Choose a new password',
    apiForm({
      fields: [password, ...factor.fields],
      content: [password.element, factor.element],
      action: 'Set the password',
      submit: async () => {
        await request('POST', '/v1/auth/password/reset', { body: { token, newPassword: password.value(), ...factor.value() } });
        leave('The password is set, and all sessions have ended. Sign in with it.');
      },
      handle: (error) => password.handle(error) || factor.handle(error),
    }),
    el('p', {}, el('a', { href: '/forgot' }, 'Ask for another link')));
}
