/** @import { Member } from './members.js' */
/** @import { Looser } from './weakening.js' */
import { el, uniqueId } from '../dom.js';
import { complain, errorList, field } from '../app/field.js';

/** @typedef {{ amount: number, currency: string }} Money minor units of a currency */

/**
 * An amount of money, which people write in major units; empty means none.
 * @param {string} path
 * @param {string} label
 * @param {string} hint
 * @param {Looser} looser
 * @returns {Member}
 */
export function amount(path, label, hint, looser) {
  return { path, label, looser, items: (value) => (isMoney(value) ? [`${value.currency} ${major(value)}`] : []), control: (pointer, value) => {
    const money = isMoney(value) ? value : null;
    const sum = el('input', { type: 'number', name: path, min: 0, step: 'any', value: money === null ? '' : major(money) });
    const unit = el('input', { type: 'text', name: `${path}-currency`, maxlength: 3, autocomplete: 'off', spellcheck: 'false', value: money?.currency ?? 'BRL' });
    const errors = errorList(uniqueId('amount-error'));
    const element = el('fieldset', { class: 'field', 'aria-describedby': errors.id }, el('legend', {}, label), el('p', { class: 'hint' }, hint),
      el('div', { class: 'pair' }, field('Amount', `${pointer}/amount`, sum).element, field('Currency', `${pointer}/currency`, unit).element), errors);
    return {
      pointer, element, control: sum, complain: (messages) => complain(element, errors, messages),
      value: () => (sum.value === '' ? null : minor(sum.valueAsNumber, unit.value.trim().toUpperCase())),
    };
  } };
}

/** @param {number} sum @param {string} currency @returns {Money} */
function minor(sum, currency) {
  return { amount: Math.round(sum * 10 ** digits(currency)), currency };
}

/** @param {Money} money */
function major({ amount, currency }) {
  return (amount / 10 ** digits(currency)).toFixed(digits(currency));
}

/** How many digits of a currency stand behind the point (ISO 4217). @param {string} currency */
function digits(currency) {
  if (!/^[A-Z]{3}$/.test(currency)) return 2;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** @param {unknown} value @returns {value is Money} */
function isMoney(value) {
  return value instanceof Object && 'amount' in value && 'currency' in value;
}
