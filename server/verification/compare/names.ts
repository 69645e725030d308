/** Compares the name on a document with the name that was stated. */
import type { CheckOutcome } from '../check.ts';
import { acceptedSpellings } from '../mrz/spelling.ts';

/** Result of a comparison of names. */
export interface NameComparison {
  readonly outcome: Exclude<CheckOutcome, 'not_run'>;
  /** Share of the words of both names that have an equal in the other, from 0 to 1. */
  readonly score: number;
  readonly reasonCode: 'name_cut' | 'name_partial' | 'name_spelling' | 'name_differs' | null;
}

/** Words that connect Portuguese names, and are often left out. */
const PARTICLES: ReadonlySet<string> = new Set(['DA', 'DE', 'DO', 'DAS', 'DOS', 'E']);
/** A word must be at least this long to count as misspelt if one letter differs. */
const LEAST_FOR_A_SLIP = 5;
/** A single equal word identifies nobody. */
const LEAST_WORDS = 2;

/** A word with its accepted spellings. */
type Word = readonly string[];

function wordsOf(name: string): Word[] {
  return name
    .split(/[\s\p{Pd}]+/u)
    .map((word) => acceptedSpellings(word).filter(Boolean))
    .filter((word) => word.length > 0 && !PARTICLES.has(word[0]!));
}

const isEqual = (a: Word, b: Word): boolean => a.some((spelling) => b.includes(spelling));

/** Tells whether one letter more, less or other makes one text the other. */
function differsByOne(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end <= 1;
}

const isSlip = (a: Word, b: Word): boolean =>
  a.some((one) =>
    b.some((other) => Math.min(one.length, other.length) >= LEAST_FOR_A_SLIP && differsByOne(one, other)),
  );

/** Pairs equal words of both names, each word once, and returns the words that are left on each side. */
function unpaired(read: readonly Word[], stated: readonly Word[], pairs: typeof isEqual): [Word[], Word[]] {
  const left = [...stated];
  const alone = read.filter((word) => {
    const index = left.findIndex((other) => pairs(word, other));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  return [alone, left];
}

/**
 * Compares names word by word, in any order, and in every accepted spelling. Connecting words do not count. `isCut`
 * tells that the document may show only the beginning of the name.
 */
export function compareNames(read: string, stated: string, isCut = false): NameComparison {
  const [ofRead, ofStated] = [wordsOf(read), wordsOf(stated)];
  const [readAlone, statedAlone] = unpaired(ofRead, ofStated, isEqual);
  const total = ofRead.length + ofStated.length;
  const score = total === 0 ? 0 : Math.round((100 * (total - readAlone.length - statedAlone.length)) / total) / 100;
  const result = (outcome: NameComparison['outcome'], reasonCode: NameComparison['reasonCode']): NameComparison => ({
    outcome,
    score,
    reasonCode,
  });

  const equal = ofRead.length - readAlone.length;
  if (readAlone.length === 0 && statedAlone.length === 0)
    return equal === 0 ? result('fail', 'name_differs') : result('pass', null);
  const isBeginning = ([part]: Word): boolean =>
    statedAlone.some((word) => word.some((spelling) => spelling.startsWith(part!)));
  if (isCut && equal >= 1 && readAlone.length <= 1 && readAlone.every(isBeginning)) return result('warn', 'name_cut');
  if (equal >= LEAST_WORDS && (readAlone.length === 0 || statedAlone.length === 0))
    return result('warn', 'name_partial');
  const [oddRead, oddStated] = unpaired(readAlone, statedAlone, isSlip);
  return equal >= 1 && readAlone.length === 1 && oddRead.length + oddStated.length === 0
    ? result('warn', 'name_spelling')
    : result('fail', 'name_differs');
}
