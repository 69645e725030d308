/** @import { Field } from '../app/field.js' */
/** @import { Schemas } from '../app/types.d.ts' */
import { el } from '../dom.js';
import { field } from '../app/field.js';

/** @typedef {keyof Schemas['TenantQuotas']} Quota */

/** @type {readonly (readonly [Quota, string])[]} */
const QUOTAS = [
  ['users', 'Users'], ['apiKeys', 'API keys'], ['applicationsPerMonth', 'Applications a month'], ['screeningsPerDay', 'Screenings a day'],
  ['storageGb', 'Storage, GiB'], ['ratePerMinute', 'Requests a minute'],
];

/**
 * One number for each quota.
 * @param {Readonly<Record<Quota, number>>} quotas
 */
export function quotaFields(quotas) {
  const inputs = QUOTAS.map(([name]) => el('input', { type: 'number', name, min: 0, step: 1, value: quotas[name] }));
  /** @type {Field[]} */
  const fields = QUOTAS.map(([name, label], index) => field(label, `/quotas/${name}`, /** @type {HTMLInputElement} */ (inputs[index])));
  return {
    fields,
    element: el('div', { class: 'pair' }, fields.map(({ element }) => element)),
    /** Those that were changed. @returns {Partial<Record<Quota, number>>} */
    changes: () => Object.fromEntries(QUOTAS.flatMap(([name], index) => {
      const value = inputs[index]?.valueAsNumber ?? Number.NaN;
      return value === quotas[name] ? [] : [[name, Number.isNaN(value) ? null : value]];
    })),
  };
}
