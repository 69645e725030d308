import { checkField } from '../app/check-field.js';

/** Whether a live key ignores the sandbox switch. @param {boolean} checked */
export function pinField(checked) {
  return checkField({ label: 'Keep to live', meaning: 'Never touches the sandbox, even while sandbox mode is on', pointer: '/pinEnvironment', checked });
}
