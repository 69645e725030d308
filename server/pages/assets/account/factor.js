/** This module is the part of the account page in which people enrol, confirm and disable their second factor (TOTP). */
import { announce, openDialog } from '../app/components.js';
import { secondFactor } from '../app/credential-fields.js';
import { apiForm, codeField, field } from '../app/form.js';
import { copyButton, download } from '../clipboard.js';
import { el, fill } from '../dom.js';
/** @import { ApiError } from '../app/api.js' */
/** @import { Workspace } from '../app/navigation.js' */
/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Api } from './api.js' */

/** The field for the current password, which proves that the account is one's own. @param {string} pointer */
export function passwordField(pointer) {
  const input = el('input', { type: 'password', name: 'currentPassword', autocomplete: 'current-password', maxlength: 128 });
  const base = field('Current password', pointer, input);
  return {
    ...base,
    value: () => input.value,
    /** Takes over the word that it is wrong. @param {ApiError} error */
    handle: (error) => {
      if (error.code !== 'invalid_current_password') return false;
      base.complain(['The password is wrong.']);
      input.focus();
      return true;
    },
  };
}

/**
 * Shows the recovery codes, once: the service keeps only their hashes.
 * @param {string[]} codes
 * @param {() => void} done
 */
function showRecoveryCodes(codes, done) {
  const list = el('ul', { class: 'recovery-codes', 'aria-label': 'Recovery codes' }, codes.map((code) => el('li', {}, el('code', {}, code))));
  const text = codes.join('\n');
  openDialog('Keep these recovery codes', (close) => [
    el('p', { class: 'notice warning' }, el('strong', {}, 'They are shown this once. '), 'Each signs you in once when the authenticator is lost. Keep them apart from it.'),
    list,
    el('div', { class: 'buttons start' },
      copyButton({ text: () => text, selectable: () => list, className: 'button' }),
      el('button', { type: 'button', class: 'button', onclick: () => download('recovery-codes.txt', 'text/plain', `${text}\n`) }, 'Download')),
    el('div', { class: 'buttons' }, el('button', { type: 'button', class: 'button primary', onclick: () => { close(); done(); } }, 'I have stored them')),
  ], { dismissable: false });
}

/**
 * Enrols an authenticator in three steps: the password, the secret with its first code, the recovery codes.
 * @param {Api} api
 * @param {() => void} done
 */
function enrol(api, done) {
  const password = passwordField('/password');
  openDialog('Enrol an authenticator', (close) => [
    el('p', { class: 'muted' }, 'First your password, so that nobody does this at a screen that you left open.'),
    apiForm({
      fields: [password],
      action: 'Continue',
      cancel: close,
      submit: async () => {
        const enrolment = await api.enrollTotp(password.value());
        close();
        showSecret(api, enrolment, done);
      },
      handle: password.handle,
    }),
  ]);
}

/**
 * @param {Api} api
 * @param {Schemas['TotpEnrolment']} enrolment
 * @param {() => void} done
 */
function showSecret(api, { secret, qrSvg }, done) {
  const code = codeField('/code', 'First code');
  const text = el('code', { class: 'secret' }, secret.replace(/(.{4})(?=.)/g, '$1 '));
  openDialog('Scan this code', (close) => [
    el('p', { class: 'muted' }, 'With the authenticator app on your phone. Or type the secret: time-based, six digits.'),
    // An image runs no script and loads nothing, whatever is in it.
    el('img', { class: 'qr', alt: 'QR code of the secret', width: 220, height: 220, src: `data:image/svg+xml,${encodeURIComponent(qrSvg)}` }),
    el('div', { class: 'secret-row' }, text, copyButton({ text: () => secret, selectable: () => text, className: 'button' })),
    apiForm({
      fields: [code],
      action: 'Confirm',
      cancel: close,
      submit: async () => {
        const { recoveryCodes } = await api.confirmTotp(code.value());
        close();
        showRecoveryCodes(recoveryCodes, done);
      },
    }),
  ]);
}

/**
 * @param {Api} api
 * @param {() => void} done
 */
function disableFactor(api, done) {
  const password = passwordField('/password');
  const factor = secondFactor({ shown: true, member: 'code' });
  openDialog('Disable the second factor?', (close) => [
    el('p', {}, 'From then on your password alone signs you in. The recovery codes stop working.'),
    apiForm({
      fields: [password, ...factor.fields],
      content: [password.element, factor.element],
      action: 'Disable it',
      danger: true,
      cancel: close,
      submit: async () => {
        await api.disableTotp(/** @type {Schemas['TotpDisableRequest']} */ ({ password: password.value(), ...factor.value() }));
        close();
        done();
      },
      handle: password.handle,
    }),
  ]);
}

/**
 * The second factor of the signed-in person.
 * @param {Api} api
 * @param {Workspace} workspace
 */
export function factorCard(api, workspace) {
  const body = el('div', { class: 'stack' });
  draw();
  return el('section', { class: 'card stack', 'aria-labelledby': 'factor-heading' },
    el('h2', { id: 'factor-heading', tabindex: '-1' }, 'Second factor'), body);

  function draw() {
    const { user, tenant, mfaEnrolmentRequired } = workspace.current;
    fill(body, user.mfaEnabled
      ? [
          el('p', {}, el('span', { class: 'badge active' }, 'On'), ' Your password alone does not sign you in: a code of your authenticator is asked for, too.'),
          el('div', {}, el('button', { type: 'button', class: 'button', onclick: () => disableFactor(api, () => changed('The second factor is off.')) }, 'Disable it')),
        ]
      : [
          el('p', {}, el('span', { class: 'badge' }, 'Off'), mfaEnrolmentRequired
            ? ` ${tenant.name} asks for a second factor. Enrol an authenticator app to go on.`
            : ' With an authenticator app on your phone, a stolen password is not enough to sign in as you.'),
          el('div', {}, el('button', { type: 'button', class: 'button primary', onclick: () => enrol(api, () => changed('The second factor is on.')) }, 'Enrol an authenticator')),
        ]);
  }

  /** @param {string} words */
  async function changed(words) {
    await workspace.refresh();
    announce(words);
    const { destination } = workspace;
    workspace.destination = null;
    if (destination !== null) return workspace.go(destination === '/account' ? workspace.home : destination);
    draw();
    document.getElementById('factor-heading')?.focus();
  }
}
