/** This module holds the form controls of the settings page that are not plain fields: amounts, checks, colours and lists of records. */
import { complain, errorList, field } from '../app/form.js';
import { el, fill, uniqueId } from '../dom.js';
import { known, listOf } from './members.js';
/** @import { Choices, Control, Member } from './members.js' */
/** @import { Weakens } from './weakening.js' */

/** @typedef {{ amount: number, currency: string }} Money minor units of a currency */

/**
 * An amount of money, which people write in major units; empty means none.
 * @param {string} path
 * @param {string} label
 * @param {string} hint
 * @param {Weakens} weakens
 * @returns {Member}
 */
export function amount(path, label, hint, weakens) {
  return { path, label, weakens, items: (value) => (isMoney(value) ? [`${value.currency} ${toMajorUnits(value)}`] : []), control: (pointer, value) => {
    const money = isMoney(value) ? value : null;
    const sum = el('input', { type: 'number', name: path, min: 0, step: 'any', value: money === null ? '' : toMajorUnits(money) });
    const unit = el('input', { type: 'text', name: `${path}-currency`, maxlength: 3, autocomplete: 'off', spellcheck: 'false', value: money?.currency ?? 'BRL' });
    const errors = errorList(uniqueId('amount-error'));
    const element = el('fieldset', { class: 'field', 'aria-describedby': errors.id }, el('legend', {}, label), el('p', { class: 'hint' }, hint),
      el('div', { class: 'pair' }, field('Amount', `${pointer}/amount`, sum).element, field('Currency', `${pointer}/currency`, unit).element), errors);
    return {
      pointer, element, control: sum, complain: (messages) => complain(element, errors, messages),
      value: () => (sum.value === '' ? null : toMinorUnits(sum.valueAsNumber, unit.value.trim().toUpperCase())),
    };
  } };
}

/** @param {number} sum @param {string} currency @returns {Money} */
function toMinorUnits(sum, currency) {
  return { amount: Math.round(sum * 10 ** digits(currency)), currency };
}

/** @param {Money} money */
function toMajorUnits({ amount, currency }) {
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

/** What the platform checks of people and companies. @type {Choices} */
export const CHECKS = [
  ['identity_data', 'Identity data is complete'], ['tax_id_valid', 'Tax number is valid'], ['legal_bases_recorded', 'Legal bases are recorded'],
  ['screening_clear', 'Screening is clear'], ['cpf_status_ok', 'CPF is regular'], ['account_protection_clear', 'No protection against new accounts'],
  ['id_document', 'Identity document'], ['document_ocr_passed', 'Document was read'], ['liveness_passed', 'Liveness'], ['face_match_passed', 'Face matches the document'],
  ['address', 'Address'], ['proof_of_address', 'Proof of address'], ['income_declared', 'Income is declared'], ['source_of_funds', 'Source of funds'],
  ['adverse_media_clear', 'No adverse media'], ['senior_approval', 'Approval by a senior'],
  ['registry_active', 'Company is active'], ['officers_match', 'Officers match the registry'], ['ownership_complete', 'Ownership is complete'],
  ['bo_identified', 'Beneficial owners are identified'], ['bo_screened', 'Beneficial owners are screened'], ['powers_confirmed', 'Powers are confirmed'],
  ['representatives_verified', 'Representatives are verified'],
];

/** @type {Choices} */
const LEVELS = [['basic', 'Basic'], ['standard', 'Standard'], ['enhanced', 'Enhanced']];

/**
 * Which checks each level of diligence asks for, as a table.
 * @param {string} path
 * @param {string} label
 * @returns {Member}
 */
export function checks(path, label) {
  return { path, label, items: requestedChecks, summary, control: (pointer, value) => {
    const errors = errorList(uniqueId('checks-error'));
    const offered = known(CHECKS, [...new Set(LEVELS.flatMap(([level]) => hasLevel(value, level)))]);
    const boxes = LEVELS.map(([level, name]) => offered.map(([code, words]) =>
      el('input', { type: 'checkbox', value: code, checked: hasLevel(value, level).includes(code), 'aria-label': `${name}: ${words}` })));
    const table = el('table', { class: 'checks', 'aria-label': label },
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Check'), LEVELS.map(([, name]) => el('th', { scope: 'col' }, name)))),
      el('tbody', {}, offered.map(([, words], row) => el('tr', {}, el('th', { scope: 'row' }, words), boxes.map((column) => el('td', {}, column[row]))))));
    const element = el('details', { class: 'field whole' }, el('summary', {}, label), table, errors);
    return {
      pointer, element, control: /** @type {HTMLElement} */ (boxes[0]?.[0]),
      complain: (messages) => {
        if (messages.length > 0) element.open = true;
        complain(table, errors, messages);
      },
      value: () => Object.fromEntries(LEVELS.map(([level], index) => [level, inOrder(hasLevel(value, level), boxes[index] ?? [])])),
    };
  } };
}

/** Those that stay keep their place, so that looking at a list does not change it. @param {readonly string[]} before @param {readonly HTMLInputElement[]} boxes */
function inOrder(before, boxes) {
  const chosen = boxes.filter(({ checked }) => checked).map((box) => box.value);
  return [...before.filter((code) => chosen.includes(code)), ...chosen.filter((code) => !before.includes(code))];
}

/** @param {unknown} value */
function requestedChecks(value) {
  return LEVELS.flatMap(([level, name]) => hasLevel(value, level).map((code) => `${name}: ${CHECKS.find(([known]) => known === code)?.[1] ?? code}`));
}

/** Each check once, with its levels. @param {unknown} value */
function summary(value) {
  return known(CHECKS, [...new Set(LEVELS.flatMap(([level]) => hasLevel(value, level)))]).flatMap(([code, words]) => {
    const levels = LEVELS.filter(([level]) => hasLevel(value, level).includes(code)).map(([level]) => level);
    return levels.length === 0 ? [] : [`${words} (${levels.join(', ')})`];
  });
}

/** @param {unknown} value @param {string} level */
function hasLevel(value, level) {
  return value instanceof Object ? listOf(/** @type {Readonly<Record<string, unknown>>} */ (value)[level]) : [];
}

/**
 * A colour, written or picked.
 * @param {string} path
 * @param {string} label
 * @param {string} hint
 * @returns {Member}
 */
export function colour(path, label, hint) {
  return { path, label, items: (value) => [String(value)], control: (pointer, value) => {
    const input = el('input', { type: 'text', name: path, maxlength: 7, autocomplete: 'off', spellcheck: 'false', value: String(value) });
    const picker = el('input', { type: 'color', 'aria-label': `Pick: ${label}`, value: String(value) });
    picker.addEventListener('input', () => { input.value = picker.value; });
    input.addEventListener('input', () => { if (/^#[0-9a-f]{6}$/i.test(input.value)) picker.value = input.value; });
    const written = field(label, pointer, input, hint);
    const pair = el('div', { class: 'colour' });
    input.replaceWith(pair);
    pair.append(picker, input);
    return { ...written, value: () => input.value.trim().toLowerCase() };
  } };
}

/** @typedef {Readonly<Record<string, unknown>>} Entry */

/**
 * A list of records, each of them a row of fields.
 * @param {object} options
 * @param {string} options.path
 * @param {string} options.label
 * @param {readonly Member[]} options.columns
 * @param {string} options.noun of one record
 * @param {(entry: Entry) => string} options.words
 * @returns {Member}
 */
export function records({ path, label, columns, noun, words }) {
  return { path, label, items: (value) => entriesOf(value).map(words), control: (pointer, value) => {
    /** @type {Control[][]} */ let rows = [];
    const errors = errorList(uniqueId('records-error'));
    const list = el('div', { class: 'rows' });
    const adder = el('button', { type: 'button', class: 'button small', onclick: add }, `Add a ${noun}`);
    const element = el('fieldset', { class: 'field', 'aria-describedby': errors.id }, el('legend', {}, label), list, errors, adder);
    draw(entriesOf(value));
    return {
      pointer, element, control: adder, value: entries, complain: (messages) => complain(element, errors, messages),
      // The rows first: a complaint about a row is also one about the list.
      fields: () => [...rows.flat(), { pointer, element, control: adder, complain: (/** @type {string[]} */ messages) => complain(element, errors, messages) }],
    };

    /** Drawn anew whenever a row comes or goes, because the pointers of the others count the rows. @param {readonly Entry[]} shown */
    function draw(shown) {
      rows = shown.map((entry, at) => columns.map((column) => column.control(`${pointer}/${at}/${column.path}`, entry[column.path])));
      fill(list, rows.map((row, at) => el('div', { role: 'group', 'aria-label': `${noun} ${at + 1}` }, row.map((part) => part.element),
        el('button', { type: 'button', class: 'button quiet small danger', 'aria-label': `Remove ${noun} ${at + 1}`, onclick: () => remove(at) }, 'Remove'))));
    }

    /** Without what is empty, so that it is missed by its name. */
    function entries() {
      return rows.map((row) => Object.fromEntries(row.flatMap((part, index) => {
        const given = part.value();
        return given === null ? [] : [[columns[index]?.path ?? '', given]];
      })));
    }

    function add() {
      draw([...entries(), {}]);
      rows.at(-1)?.[0]?.control.focus();
    }

    /** @param {number} at */
    function remove(at) {
      draw(entries().filter((_, index) => index !== at));
      adder.focus();
    }
  } };
}

/** @param {unknown} value @returns {readonly Entry[]} */
function entriesOf(value) {
  return Array.isArray(value) ? value : [];
}
