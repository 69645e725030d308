/** @import { ApiError as Refusal } from './api-error.js' */
import { el } from '../dom.js';
import { ApiError } from './api-error.js';
import { apiForm } from './api-form.js';
import { openDialog } from './dialog.js';
import { codeField } from './code-field.js';

/**
 * Asks for a code of the authenticator and repeats a call with it, until it is accepted or the user gives up. The code
 * counts for a while, so the next such calls pass without a question.
 * @param {(code: string) => Promise<unknown>} repeat
 * @param {Refusal} refusal
 * @returns {Promise<unknown>}
 */
export function askForCode(repeat, refusal) {
  return new Promise((resolve, reject) => {
    const code = codeField('/X-TOTP-Code');
    let settled = false;
    openDialog('Confirm that it is you', (close) => [
      el('p', { class: 'muted' }, 'This needs a fresh code of your authenticator. It counts for five minutes.'),
      apiForm({
        fields: [code],
        action: 'Confirm',
        cancel: close,
        submit: async () => {
          if (!/^\d{6}$/.test(code.value())) throw wrongCode(refusal);
          try {
            const answer = await repeat(code.value());
            settle(() => resolve(answer));
          } catch (error) {
            if (error instanceof ApiError && error.code === 'step_up_required') throw wrongCode(error);
            settle(() => reject(error));
          }
          close();
        },
      }),
      el('p', { class: 'hint' }, 'No authenticator yet? Enrol one under Account first.'),
    ], { onclose: () => settle(() => reject(new ApiError(refusal.problem, 'Not done: it needs a code of your authenticator.'))) });

    /** @param {() => void} outcome */
    function settle(outcome) {
      if (!settled) outcome();
      settled = true;
    }
  });
}

/** @param {Refusal} error */
function wrongCode({ problem }) {
  const errors = [{ pointer: '/X-TOTP-Code', code: 'invalid_totp_code', message: 'Wrong, or used before. Wait for the next code.' }];
  return new ApiError(problem && { ...problem, errors }, 'The code was not accepted.');
}
