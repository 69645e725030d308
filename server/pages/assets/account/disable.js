/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Api } from './api.js' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { openDialog } from '../app/dialog.js';
import { secondFactor } from '../app/second-factor.js';
import { passwordField } from './password-field.js';

/**
 * @param {Api} api
 * @param {() => void} done
 */
export function disableFactor(api, done) {
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
