/** @import { PersonalDataView } from '../app/types.d.ts' */
import { checkField } from '../app/check-field.js';

/** How much of persons a key is shown. @param {PersonalDataView} current */
export function personalDataField(current) {
  const shown = checkField({
    label: 'Show persons in full', meaning: 'Applicants and their documents as they are, not masked. Only an owner can grant it', pointer: '/personalData', checked: current === 'full',
  });
  return { ...shown, value: () => /** @type {PersonalDataView} */ (shown.value() ? 'full' : 'masked') };
}
