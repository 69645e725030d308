/** @import { Choices, Member } from './members.js' */
import { el, uniqueId } from '../dom.js';
import { complain, errorList } from '../app/field.js';
import { known, listOf } from './members.js';

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
  return { path, label, items, summary, control: (pointer, value) => {
    const errors = errorList(uniqueId('checks-error'));
    const offered = known(CHECKS, [...new Set(LEVELS.flatMap(([level]) => at(value, level)))]);
    const boxes = LEVELS.map(([level, name]) => offered.map(([code, words]) =>
      el('input', { type: 'checkbox', value: code, checked: at(value, level).includes(code), 'aria-label': `${name}: ${words}` })));
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
      value: () => Object.fromEntries(LEVELS.map(([level], index) => [level, inOrder(at(value, level), boxes[index] ?? [])])),
    };
  } };
}

/** Those that stay keep their place, so that looking at a list does not change it. @param {readonly string[]} before @param {readonly HTMLInputElement[]} boxes */
function inOrder(before, boxes) {
  const chosen = boxes.filter(({ checked }) => checked).map((box) => box.value);
  return [...before.filter((code) => chosen.includes(code)), ...chosen.filter((code) => !before.includes(code))];
}

/** @param {unknown} value */
function items(value) {
  return LEVELS.flatMap(([level, name]) => at(value, level).map((code) => `${name}: ${CHECKS.find(([known]) => known === code)?.[1] ?? code}`));
}

/** Each check once, with its levels. @param {unknown} value */
function summary(value) {
  return known(CHECKS, [...new Set(LEVELS.flatMap(([level]) => at(value, level)))]).flatMap(([code, words]) => {
    const levels = LEVELS.filter(([level]) => at(value, level).includes(code)).map(([level]) => level);
    return levels.length === 0 ? [] : [`${words} (${levels.join(', ')})`];
  });
}

/** @param {unknown} value @param {string} level */
function at(value, level) {
  return value instanceof Object ? listOf(/** @type {Readonly<Record<string, unknown>>} */ (value)[level]) : [];
}
