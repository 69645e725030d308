/**
 * Limits the score of names that agree in too little. Used by alignment and scoring. Any change alters scores and needs
 * a new version of the algorithm.
 */
import type { NameOf, NameToken } from '../names/token.ts';
import type { Cap, Pair, Rest, Side, WeighedToken } from './alignment.ts';

/**
 * Returns the cap for common words, which identify little however well they agree; null if their weight is sufficient.
 */
export const commonWordsCap = (said: number): number | null => (said >= 0.9 ? null : Math.min(0.9, 0.64 + 0.29 * said));

/**
 * Limit of the score if only initials agree. Initials are not looked up, so an equal date, a shared country and fitting
 * digits of a CPF together must leave it below 0.7.
 */
const INITIALS_ONLY = 0.25;

/** Limit of the score if only words agree that many names have. */
export const GENERIC_WORDS_ONLY = 0.7;

/**
 * Weight from which unmatched words contradict a name whose other words are all equal, and the weight of an initial
 * that begins no word of the other side.
 */
const CONTRADICTS = { from: 0.24, initial: 0.3 } as const;

/** Returns whether a word is an initial. In `Silva e Costa` and `Silva y Costa` the single letters are not. */
const isInitial = (text: string): boolean => text.length === 1 && text !== 'e' && text !== 'y';

function contradictingWeight(rest: readonly WeighedToken[]): number {
  return rest.reduce((sum, { text, isNumber, weight }) => {
    // Numbers have a rule of their own.
    if (isNumber) return sum;
    return sum + (isInitial(text) ? Math.max(weight, CONTRADICTS.initial) : weight);
  }, 0);
}

/**
 * Caps a name in which one word replaces another: `Halim Musa Karzoun` and `Halim Daud Karzoun` are brothers, however
 * much else agrees. The more weight the two words have, the lower the cap.
 */
function contradictionCap({ subject, listed }: Rest): number | null {
  const said = Math.min(contradictingWeight(subject), contradictingWeight(listed));
  return said <= CONTRADICTS.from ? null : 0.76 - 0.07 * Math.min(1, said);
}

/** Returns whether a word identifies its bearer, and is no initial, particle, title or generic word. */
export const isStrong = ({ role }: NameToken): boolean => role === 'name' || role === 'number';

const numbersOf = (words: readonly WeighedToken[]): readonly string[] =>
  words.filter(({ isNumber }) => isNumber).map(({ text }) => text);

/** Returns whether each of both names has a number that the other lacks. */
const differInNumbers = (subject: readonly string[], listed: readonly string[]): boolean =>
  subject.some((number) => !listed.includes(number)) && listed.some((number) => !subject.includes(number));

/**
 * Limit for a surname with initials: two or more initials say as much as a short form of a first name, unless many
 * people have the surname (its weight is below `from`) or a word of either name is missing.
 */
const WITH_INITIALS = { to: 0.84, from: 0.5, initials: 2 } as const;

const isSurnameWithInitials = (aligned: readonly Pair[], [surname]: readonly Pair[], rest: Rest): boolean =>
  aligned.filter(({ method }) => method === 'initial').length >= WITH_INITIALS.initials &&
  surname!.weight >= WITH_INITIALS.from &&
  rest.subject.length === 0 &&
  rest.listed.length === 0;

/** Words of both names, and the kind of their bearers. */
interface ComparedWords {
  readonly subject: readonly WeighedToken[];
  readonly listed: readonly WeighedToken[];
  readonly of: NameOf;
}

/**
 * Limit for one word that identifies an organisation with a general word that agrees, too, if only one name has further
 * words: `Kbp Instrument Design Bureau` and `Instrument Design Bureau`. Words of less weight than `from` are names of
 * places and trades.
 */
const WITH_TRADE = { to: 0.81, from: 0.5 } as const;

const isWordWithTrade = (
  { subject, of }: ComparedWords,
  aligned: readonly Pair[],
  [word]: readonly Pair[],
  [ofSubject, ofListed]: readonly [number, number],
): boolean =>
  of === 'organisation' &&
  word!.weight >= WITH_TRADE.from &&
  Math.min(ofSubject, ofListed) === 1 &&
  aligned.some(({ method, subject: indexes }) => method === 'exact' && subject[indexes[0]!]!.role === 'generic');

/** Limits the score of an alignment that says less than the weight of its words. */
export function capsOf(aligned: readonly Pair[], words: ComparedWords, unmatched: Rest): Cap[] {
  const { subject, listed } = words;
  const caps: Cap[] = [];
  const strong = aligned.filter(
    (pair) =>
      pair.method !== 'initial' &&
      pair.subject.some((index) => isStrong(subject[index]!)) &&
      pair.listed.some((index) => isStrong(listed[index]!)),
  );
  const agreeing = strong.reduce((sum, { subject: s, listed: l }) => sum + Math.max(s.length, l.length), 0);
  // General words that one side joins or splits identify no bearer: `Tradingfze`, `Trad ing`.
  const general = aligned.filter((pair) => pair.method === 'joined' && !strong.includes(pair));
  const countOf = (side: Side, all: readonly WeighedToken[]): number =>
    all.filter((word, index) => isStrong(word) && !general.some((pair) => pair[side].includes(index))).length;
  const [ofSubject, ofListed] = [countOf('subject', subject), countOf('listed', listed)];
  const isLiteral =
    unmatched.subject.length === 0 &&
    unmatched.listed.length === 0 &&
    aligned.every(({ method }) => method === 'exact');
  const initials = aligned.some(({ method }) => method === 'initial');
  if (strong.length === 0 && !isLiteral)
    caps.push(
      initials ? { rule: 'initials_only', to: INITIALS_ONLY } : { rule: 'generic_words_only', to: GENERIC_WORDS_ONLY },
    );
  if (agreeing === 1 && (ofSubject > 1 || ofListed > 1)) {
    let to = 0.75;
    if (isSurnameWithInitials(aligned, strong, unmatched)) to = WITH_INITIALS.to;
    else if (isWordWithTrade(words, aligned, strong, [ofSubject, ofListed])) to = WITH_TRADE.to;
    caps.push({ rule: 'single_strong_token', to });
  }
  if (differInNumbers(numbersOf(subject), numbersOf(listed))) caps.push({ rule: 'number_differs', to: 0.75 });
  const contradicted = contradictionCap(unmatched);
  if (contradicted !== null) caps.push({ rule: 'word_contradicted', to: contradicted });
  const said = aligned.reduce((sum, { weight, similarity }) => sum + weight * similarity, 0);
  const common = commonWordsCap(said);
  if (!isLiteral && strong.length > 0 && common !== null) caps.push({ rule: 'common_words_only', to: common });
  return caps;
}
