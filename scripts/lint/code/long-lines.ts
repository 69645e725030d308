/** Finds lines that are too long, with the few exceptions. Used by `make lint` and `make quick`. */

/**
 * Which lines may be longer than the formatter makes them. It breaks code and leaves text alone: comments, messages
 * and statements of SQL are broken by whoever writes them.
 */
export const WIDTH = 120;

/** Tables of words, and files that other programs made: a line of them is a record, and is not read as a sentence. */
const DATA = [
  /^server\/screening\/names\//,
  /^test\/support\/(?:specimens\/|list-files\.ts$)/,
  /^server\/pages\/dashboard\/pages\/applications\/form\/countries\.ts$/,
];

const ADDRESS = /https?:\/\/[^\s'"`)>]+/g;
/** A test is found by its title, which therefore stands on one line; the formatter keeps it there too. */
const TITLE = /^\s*(?:it|describe|test|bench)\b.*(['"`])(?:, \{.*\})?, (?:async )?\((?:.*\) => \{|\{)$/;
const REGULAR_EXPRESSION =
  /^\s*(?:(?:export )?const \w+ = |\w+: |return )?\/(?![*/]).{60,}\/[a-z]*(?:[;,]|\.\w+\($|\)[;,]?)?$/;
/** Keys, digests and documents in one piece have no place at which they could be broken. */
const IN_ONE_PIECE = /[^\s]{60,}/;
/**
 * A mistake that the compiler must find is told in the line before it, whose length TypeScript does not let us choose.
 */
const DIRECTIVE = /^\s*\/\/ @ts-expect-error /;

/** The numbers of the lines of a file that are too long. */
export function longLines(path: string, text: string): number[] {
  if (DATA.some((data) => data.test(path))) return [];
  return text.split('\n').flatMap((line, index) => (isTooLong(line) ? [index + 1] : []));
}

function isTooLong(line: string): boolean {
  if ([...line].length <= WIDTH || [...line.replaceAll(ADDRESS, '')].length <= WIDTH) return false;
  return ![TITLE, REGULAR_EXPRESSION, IN_ONE_PIECE, DIRECTIVE].some((exception) => exception.test(line));
}
