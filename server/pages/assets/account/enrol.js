/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Api } from './api.js' */
import { copyButton } from '../clipboard.js';
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { codeField } from '../app/code-field.js';
import { openDialog } from '../app/dialog.js';
import { passwordField } from './password-field.js';
import { showRecoveryCodes } from './recovery-codes.js';

/**
 * Enrols an authenticator in three steps: the password, the secret with its first code, the recovery codes.
 * @param {Api} api
 * @param {() => void} done
 */
export function enrol(api, done) {
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
