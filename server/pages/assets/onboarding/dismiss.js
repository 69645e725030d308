/** @import { Step } from './api.js' */
/** @import { Hands } from './page.js' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { openDialog } from '../app/dialog.js';
import { field } from '../app/field.js';

/**
 * @param {Step} step
 * @param {Hands} hands
 */
export function askDismiss({ key, title }, { api, changed }) {
  const input = el('input', { type: 'text', name: 'reason', maxlength: 500, autocomplete: 'off' });
  const reason = field('Reason', '/reason', input, 'At least ten characters, for the audit log.');
  openDialog(`Put “${title}” aside?`, (close) => [apiForm({
    fields: [reason],
    action: 'Put aside',
    cancel: close,
    submit: async () => {
      await api.dismissOnboardingStep(key, { reason: input.value.trim() });
      close();
      changed(`“${title}” is put aside.`, key);
    },
  })]);
}

/**
 * @param {Step} step
 * @param {Hands} hands
 */
export function askRestore({ key, title }, { api, changed }) {
  openDialog(`Take “${title}” up again?`, (close) => [
    el('p', {}, 'It counts among the open steps again.'),
    apiForm({
      action: 'Take up again',
      cancel: close,
      submit: async () => {
        await api.dismissOnboardingStep(key, { restore: true });
        close();
        changed(`“${title}” is open again.`, key);
      },
    }),
  ]);
}
