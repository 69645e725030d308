/** Parses JSON that no two programs can read differently. */

/** An error in the file or the options, not in the log. */
export class UsageError extends Error {}

const DEEPEST = 100;
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[-\d][^\s,\]}]*/g;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses JSON that all readers read in the same way (I-JSON, RFC 7493), or throws an error that says why it is not.
 * JSON.parse keeps the last of two members of one name and rounds numbers that it cannot represent; other parsers keep
 * the first, or all digits, and would verify another log.
 */
export function readStrictly(bytes, place) {
  let fault = 'is not UTF-8';
  try {
    const text = utf8.decode(bytes);
    fault = text.startsWith('\uFEFF') ? 'begins with a byte order mark' : 'is not JSON';
    const value = JSON.parse(text);
    fault = null;
    checkTokens(text);
    return value;
  } catch (error) {
    throw new UsageError(`${place} ${fault ?? error.message}`);
  }
}

/**
 * Checks the tokens of a text that is known to be JSON: `open` holds the member names of each open object, and null for
 * each open array.
 */
function checkTokens(text) {
  const open = [];
  let named = false;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null);
    else if (token === '}' || token === ']') open.pop();
    else if (token[0] === '"') checkText(JSON.parse(token), named ? null : open.at(-1));
    else if (token !== ':' && token !== ',') checkNumber(token);
    named = token === ':';
    if (open.length > DEEPEST) throw new SyntaxError('is nested too deeply');
  }
}

/** Checks a string; `names` are those of the object if the string is a member name, and null or omitted for a value. */
function checkText(text, names) {
  if (!text.isWellFormed()) throw new SyntaxError('has half of a surrogate pair');
  if (!names) return;
  if (names.has(text)) throw new SyntaxError(`has the member ${JSON.stringify(text)} twice`);
  if (['__proto__', 'constructor', 'prototype'].includes(text))
    throw new SyntaxError(`has a member ${JSON.stringify(text)}`);
  names.add(text);
}

function checkNumber(token) {
  const number = Number(token);
  const digits = token
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '');
  if (
    !Number.isFinite(number) ||
    (Number.isInteger(number) && !Number.isSafeInteger(number)) ||
    digits.length > 17 ||
    Object.is(number, -0) ||
    (number === 0 && digits !== '')
  ) {
    throw new SyntaxError(`has the number ${token}, which not every program can hold`);
  }
}
