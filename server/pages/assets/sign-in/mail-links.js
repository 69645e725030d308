/** This module holds the pages to which links in mails lead: a forgotten password, its reset and an invitation. */
import { request } from '../app/api.js';
import { newPasswordField, secondFactor } from '../app/credential-fields.js';
import { apiForm, field } from '../app/form.js';
import { safeLink } from '../app/navigation.js';
import { el } from '../dom.js';
/** @import { ApiError } from '../app/api.js' */
/** @import { PublicPageOptions } from '../app/navigation.js' */
/** @import { Schemas, TokenPair } from '../app/types.d.ts' */

/**
 * One thing to do for somebody who is not signed in.
 * @param {string} title
 * @param {...import('../dom.js').Child} content
 */
function signInCard(title, ...content) {
  return el('div', { class: 'welcome' }, el('section', { class: 'card sign-in', 'aria-labelledby': 'sign-in-heading' },
    el('h2', { id: 'sign-in-heading', tabindex: '-1' }, title), ...content));
}

/** Asks for the mail with the link. @param {PublicPageOptions} options */
export function showForgotten({ outbox }) {
  const input = el('input', { type: 'email', name: 'email', autocomplete: 'username', maxlength: 254, spellcheck: 'false' });
  const email = field('E-mail', '/email', input);
  const form = apiForm({
    fields: [email],
    action: 'Send the link',
    submit: async () => {
      const { linkValidMinutes } = /** @type {Schemas['PasswordResetAccepted']} */ (
        await request('POST', '/v1/auth/password/forgot', { body: { email: input.value.trim() } }));
      card.replaceWith(sent(linkValidMinutes, outbox));
      document.getElementById('sign-in-heading')?.focus();
    },
  });
  const card = signInCard('Reset your password',
    el('p', { class: 'muted' }, 'We send a link to your address. With it you choose a new password; all your sessions end.'),
    form, el('p', {}, el('a', { href: '/sign-in' }, 'Back to the sign-in')));
  return card;
}

/**
 * The same words for every address: they do not tell who has an account.
 * @param {number} minutes
 * @param {string | null} outbox
 */
function sent(minutes, outbox) {
  return signInCard('Look into your mail',
    el('p', {}, `If somebody has this address, a mail is on its way. Its link works once, for ${minutes} minutes.`),
    outbox !== null && el('p', { class: 'hint' }, 'This installation delivers no mail: read it in the ', safeLink(outbox, 'outbox'), '.'),
    el('p', {}, el('a', { href: '/sign-in' }, 'Back to the sign-in')));
}

/** Sets a new password with the secret of the link. @param {PublicPageOptions} options */
export function showReset({ token, leave }) {
  if (token === null) {
    return signInCard('Open the link again',
      el('p', {}, 'This page works with the link from the mail only, and keeps nothing of it when it is reloaded. Open the link once more, or ask for another.'),
      el('p', {}, el('a', { href: '/forgot' }, 'Ask for another link')));
  }
  const password = newPasswordField('/newPassword');
  const factor = secondFactor();
  return signInCard('Choose a new password',
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

/** Joins a tenant with the secret of the link, and signs in. @param {PublicPageOptions} options */
export function showInvitation({ token, signedIn }) {
  if (token === null) {
    return signInCard('Open the link again',
      el('p', {}, 'This page works with the link from the mail only, and keeps nothing of it when it is reloaded. Open the link once more, or ask whoever invited you for another.'),
      el('p', {}, el('a', { href: '/sign-in' }, 'Sign in instead')));
  }
  const name = el('input', { type: 'text', name: 'name', autocomplete: 'name', maxlength: 120 });
  const nameField = field('Your name', '/name', name, 'As colleagues and the audit log shall see it.');
  const password = newPasswordField('/password', { label: 'Password' });
  const factor = secondFactor();
  return signInCard('Welcome',
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
