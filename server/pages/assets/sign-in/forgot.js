/** @import { DoorOptions } from '../app/routes.js' */
/** @import { Schemas } from '../app/types.d.ts' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { field } from '../app/field.js';
import { safeLink } from '../app/links.js';
import { request } from '../app/request.js';
import { doorCard } from './card.js';

/** Asks for the mail with the link. @param {DoorOptions} options */
export function show({ outbox }) {
  const input = el('input', { type: 'email', name: 'email', autocomplete: 'username', maxlength: 254, spellcheck: 'false' });
  const email = field('E-mail', '/email', input);
  const form = apiForm({
    fields: [email],
    action: 'Send the link',
    submit: async () => {
      const { linkValidMinutes } = /** @type {Schemas['PasswordResetAccepted']} */ (
        await request('POST', '/v1/auth/password/forgot', { body: { email: input.value.trim() } }));
      card.replaceWith(sent(linkValidMinutes, outbox));
      document.getElementById('door')?.focus();
    },
  });
  const card = doorCard('Reset your password',
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
  return doorCard('Look into your mail',
    el('p', {}, `If somebody has this address, a mail is on its way. Its link works once, for ${minutes} minutes.`),
    outbox !== null && el('p', { class: 'hint' }, 'This installation delivers no mail: read it in the ', safeLink(outbox, 'outbox'), '.'),
    el('p', {}, el('a', { href: '/sign-in' }, 'Back to the sign-in')));
}
