/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Parts } from './page.js' */
import { el } from '../dom.js';
import { announce } from '../app/announce.js';
import { apiForm } from '../app/api-form.js';
import { openDialog } from '../app/dialog.js';
import { randomKey } from '../app/idempotency.js';

/**
 * Creates an application of a persona and submits it.
 * @param {Schemas['SandboxPersona']} persona
 * @param {Parts} parts
 */
export function applyFor(persona, { api, reload }) {
  const [creating, submitting] = [randomKey(), randomKey()];
  openDialog(`Submit an application of ${persona.name}?`, (close) => [
    el('p', {}, 'An application to open an account, with the name, a date of birth and the tax number of the persona. It stays in the sandbox.'),
    apiForm({
      action: 'Submit',
      cancel: close,
      submit: async () => {
        const { id } = await api.submitApplication(await api.createApplication(persona, creating), submitting);
        close();
        await reload();
        announce(`The application of ${persona.name} is submitted: ${id}`);
      },
    }),
  ]);
}
