/** @import { Field } from './field.js' */
/** @import { Problem } from './types.d.ts' */

/** For people; the messages of the other codes need no translation. @type {Readonly<Record<string, string>>} */
const WORDS = {
  required: 'Required', too_short: 'Too short', too_long: 'Too long', too_few_items: 'Choose at least one',
  pattern: 'Not in the expected form', format: 'Not in the expected form',
};

/**
 * Which field each error belongs to, by its JSON Pointer. Of several complaints about one value the first is enough.
 * @param {NonNullable<Problem['errors']>} errors
 * @param {readonly Field[]} fields
 */
export function sortErrors(errors, fields) {
  /** @type {Map<Field, string[]>} */
  const complaints = new Map();
  /** @type {string[]} */
  const rest = [];
  const seen = new Set();
  for (const { pointer = '', parameter = '', code, message } of errors) {
    if (seen.has(pointer)) continue;
    seen.add(pointer);
    const owner = fields.find((field) => pointer === field.pointer || pointer.startsWith(`${field.pointer}/`));
    const text = WORDS[code] ?? message;
    if (owner === undefined) rest.push(`${pointer || parameter}: ${text}`);
    else complaints.set(owner, [...complaints.get(owner) ?? [], linePrefix(pointer.slice(owner.pointer.length + 1)) + capitalised(text)]);
  }
  return { complaints, rest };
}

/** Lists are edited one item a line. @param {string} position */
function linePrefix(position) {
  return /^\d+$/.test(position) ? `Line ${Number(position) + 1}: ` : '';
}

/** @param {string} text */
function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
