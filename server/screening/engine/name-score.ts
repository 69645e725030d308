import { FORM_CLASSES } from '../names/lexicon.ts';
import { type Method, type Similarity, similarityOf } from '../names/similarity.ts';
import { type NameOf, type NameToken, tokenOf } from '../names/token.ts';

/** A word of a name with its weight. */
export interface WeighedToken extends NameToken {
  readonly weight: number;
}

export interface Aligned {
  readonly subject: string;
  readonly listed: string;
  readonly method: Method | 'form' | 'joined';
  readonly similarity: number;
  readonly weight: number;
}

export interface Unmatched {
  readonly token: string;
  readonly weight: number;
}

/** Rules by which the writing of a name limits a similarity of sound (`writing.ts`). */
export type WritingRule =
  | 'other_signs'
  | 'other_script'
  | 'syllable_missing'
  | 'syllable_differs'
  | 'syllables_in_other_order';
export type CapRule =
  | 'single_strong_token'
  | 'initials_only'
  | 'generic_words_only'
  | 'number_differs'
  | 'word_contradicted'
  | 'common_words_only'
  | WritingRule;

export interface Cap {
  readonly rule: CapRule;
  readonly to: number;
}

/** Alignment of a name of the subject with a name of the list. `scoreOf` computes the score from it. */
export interface Alignment {
  readonly aligned: readonly Aligned[];
  readonly unmatched: { readonly subject: readonly Unmatched[]; readonly listed: readonly Unmatched[] };
  readonly caps: readonly Cap[];
  /** Total weight of all words, stored so that a score does not change if the costs of words change. */
  readonly total?: number;
}

interface Costs {
  /** Cost of a word that the other name lacks. */
  readonly subject: number;
  readonly listed: number;
  /** Cost of two words that contradict each other. */
  readonly both: number;
  /** Largest factor on these costs if the aligned words have little weight. */
  readonly scarce: number;
}

/**
 * Costs of unmatched words. A list knows more names of a person than a form asks for, so its words cost less. Unmatched
 * words on both sides contradict each other and cost most.
 */
const COSTS: Readonly<Record<NameOf, Costs>> = {
  person: {
    subject: 0.38,
    listed: 0.31,
    both: 0.7,
    scarce: 1.33,
  },
  organisation: {
    subject: 0.55,
    listed: 0.31,
    both: 0.88,
    scarce: 1.33,
  },
};
/** Costs of the algorithm `m1`, which stored no total with its alignments. */
const COSTS_OF_M1: Costs = {
  subject: 0.4,
  listed: 0.3,
  both: 0.9,
  scarce: 1.4,
};

/**
 * Returns the factor on the costs of unmatched words: the more weight the aligned words have, the less the others
 * matter.
 */
const scarcity = (said: number, { scarce }: Costs): number => Math.min(scarce, Math.max(0.5, 1.8 - 0.7 * said));

/**
 * Returns the cap for common words, which identify little however well they agree; null if their weight is sufficient.
 */
const commonWordsCap = (said: number): number | null => (said >= 0.9 ? null : Math.min(0.9, 0.64 + 0.29 * said));

/** Limit of the score if only words agree that many names have. */
const GENERIC_WORDS_ONLY = 0.7;

/**
 * Returns an upper bound of the score, if the agreeing words weigh at most `said` and the unmatched words of one side
 * weigh at least `unmatched`. `isAnyStrong` says whether a word that identifies its bearer may agree.
 */
export function mostScore(
  said: number,
  unmatched: number,
  of: NameOf,
  side: 'subject' | 'listed',
  isAnyStrong: boolean,
): number {
  return Math.min(
    said / (said + scarcity(said, COSTS[of]) * COSTS[of][side] * unmatched),
    isAnyStrong ? (commonWordsCap(said) ?? 1) : GENERIC_WORDS_ONLY,
  );
}

/**
 * Weight from which unmatched words contradict a name whose other words are all equal, and the weight of an initial
 * that begins no word of the other side.
 */
const CONTRADICTS = { from: 0.24, initial: 0.3 } as const;

/** Returns whether a word is an initial. In `Silva e Costa` and `Silva y Costa` the single letters are not. */
const isInitial = (token: string): boolean => token.length === 1 && token !== 'e' && token !== 'y';

/**
 * Caps a name in which one word replaces another: `Halim Musa Karzoun` and `Halim Daud Karzoun` are brothers, however
 * much else agrees. The more weight the two words have, the lower the cap.
 */
function contradictionCap({ subject, listed }: Alignment['unmatched']): number | null {
  // Numbers have a rule of their own.
  const [ofSubject, ofListed] = [subject, listed].map((rest) =>
    rest.reduce(
      (sum, { token, weight }) =>
        sum + (/\d/.test(token) ? 0 : isInitial(token) ? Math.max(weight, CONTRADICTS.initial) : weight),
      0,
    ),
  ) as [number, number];
  const said = Math.min(ofSubject, ofListed);
  return said <= CONTRADICTS.from ? null : 0.76 - 0.07 * Math.min(1, said);
}

const saidBy = (aligned: Alignment['aligned']): number =>
  aligned.reduce((sum, { weight, similarity }) => sum + weight * similarity, 0);

function totalBy(cost: Costs, { aligned, unmatched }: Pick<Alignment, 'aligned' | 'unmatched'>): number {
  const [ofSubject, ofListed] = [unmatched.subject, unmatched.listed].map((rest) =>
    rest.reduce((sum, { weight }) => sum + weight, 0),
  ) as [number, number];
  const both = Math.min(ofSubject, ofListed);
  const weights = aligned.reduce((sum, { weight }) => sum + weight, 0);
  return (
    weights +
    cost.both * both +
    scarcity(saidBy(aligned), cost) * (cost.subject * (ofSubject - both) + cost.listed * (ofListed - both))
  );
}

/**
 * Returns the total weight of all words: the aligned ones and the costs of the others. The score is the share of the
 * aligned ones.
 */
export function totalOf(alignment: Alignment): number {
  return alignment.total ?? totalBy(COSTS_OF_M1, alignment);
}

/** Returns the share of the aligned words in the total weight, limited by the caps. */
export function scoreOf(alignment: Alignment): number {
  const all = totalOf(alignment);
  return alignment.caps.reduce((score, { to }) => Math.min(score, to), all === 0 ? 0 : saidBy(alignment.aligned) / all);
}

/** Similarity if one side writes two words as one. */
const JOINED = 0.98;

interface Pair {
  readonly subject: readonly number[];
  readonly listed: readonly number[];
  readonly method: Aligned['method'];
  readonly similarity: number;
  readonly weight: number;
}

/** Returns the best one-to-one alignment of the words in any order, starting with the pair of the highest weight. */
export function align(
  subject: readonly WeighedToken[],
  listed: readonly WeighedToken[],
  of: NameOf,
  similarity: typeof similarityOf = similarityOf,
): Alignment {
  const pairs = pairsOf(subject, listed, of, similarity).sort(
    (a, b) => b.weight * b.similarity - a.weight * a.similarity,
  );
  const taken = { subject: new Set<number>(), listed: new Set<number>() };
  const aligned: Pair[] = [];
  for (const pair of pairs) {
    if (pair.subject.some((index) => taken.subject.has(index)) || pair.listed.some((index) => taken.listed.has(index)))
      continue;
    for (const index of pair.subject) taken.subject.add(index);
    for (const index of pair.listed) taken.listed.add(index);
    aligned.push(pair);
  }
  const unmatched = { subject: restOf(subject, taken.subject), listed: restOf(listed, taken.listed) };
  const shown = aligned.map(({ subject: s, listed: l, method, similarity: value, weight }) => ({
    subject: s.map((index) => subject[index]!.text).join(' '),
    listed: l.map((index) => listed[index]!.text).join(' '),
    method,
    similarity: value,
    weight,
  }));
  return {
    aligned: shown,
    unmatched,
    caps: capsOf(aligned, subject, listed, unmatched),
    total: totalBy(COSTS[of], { aligned: shown, unmatched }),
  };
}

function pairsOf(
  subject: readonly WeighedToken[],
  listed: readonly WeighedToken[],
  of: NameOf,
  similarity: typeof similarityOf,
): Pair[] {
  const pairs: Pair[] = [];
  const add = (s: readonly number[], l: readonly number[], method: Pair['method'], value: number): void => {
    const weighs = (all: readonly WeighedToken[], indexes: readonly number[]): number =>
      indexes.reduce((sum, index) => sum + all[index]!.weight, 0);
    const [ofSubject, ofListed] = [weighs(subject, s), weighs(listed, l)];
    // Two words have more weight than the one word into which they were joined.
    const weight = value < JOINED ? Math.min(ofSubject, ofListed) : s.length > l.length ? ofSubject : ofListed;
    pairs.push({
      subject: s,
      listed: l,
      method,
      similarity: value,
      weight: s.length === l.length ? Math.min(ofSubject, ofListed) : weight,
    });
  };
  subject.forEach((a, s) =>
    listed.forEach((b, l) => {
      const found = likenessOf(a, b, similarity);
      if (found !== null) add([s], [l], found.method, found.value);
    }),
  );
  const join = (
    all: readonly WeighedToken[],
    others: readonly WeighedToken[],
    found: (joined: readonly number[], index: number, value: number) => void,
  ): void => {
    for (let n = 0; n + 1 < all.length; n++) {
      const [a, b] = [all[n]!, all[n + 1]!];
      const text = a.text + b.text;
      const isUnvowelled = a.isUnvowelled && b.isUnvowelled;
      others.forEach((other, index) => {
        if (!mayJoin(a, b, other)) return;
        const alike = similarity(tokenOf({ text, isUnvowelled }, of), other);
        // Single syllables are similar too often.
        if (alike !== null && (alike.method === 'exact' || (alike.method !== 'initial' && text.length > 6)))
          found([n, n + 1], index, alike.value * JOINED);
      });
    }
  };
  join(subject, listed, (s, l, value) => add(s, [l], 'joined', value));
  join(listed, subject, (l, s, value) => add([s], l, 'joined', value));
  return pairs;
}

/**
 * Returns the similarity of a word of the subject and a word of the list, compared in isolation; null if they are
 * different words.
 */
export const likenessOf = (
  a: NameToken,
  b: NameToken,
  similarity: typeof similarityOf = similarityOf,
): Similarity | null => (a.role === 'form' || b.role === 'form' ? formsOf(a, b) : similarity(a, b));

/** Returns whether two words written as one may match another word at all. Most are too short or begin differently. */
export function mayJoin(a: NameToken, b: NameToken, other: NameToken): boolean {
  if (a.role === 'number' || b.role === 'number') return false;
  if (a.isUnvowelled && b.isUnvowelled) return true;
  if (Math.abs(a.text.length + b.text.length - other.text.length) > 2 || other.text === a.text || other.text === b.text)
    return false;
  return other.text[0] === a.text[0] || other.text[1] === (a.text[1] ?? b.text[0]);
}

function formsOf(a: NameToken, b: NameToken): (Similarity & { readonly method: 'form' }) | Similarity | null {
  if (a.text === b.text) return { method: 'exact', value: 1 };
  const form = FORM_CLASSES.get(a.text);
  return form !== undefined && form === FORM_CLASSES.get(b.text) ? { method: 'form' as Method, value: 1 } : null;
}

/** Returns the unmatched words. A repeated word counts once. */
function restOf(all: readonly WeighedToken[], taken: ReadonlySet<number>): Unmatched[] {
  const said = new Set([...taken].map((index) => all[index]!.text));
  return all.flatMap(({ text, weight }, index) =>
    taken.has(index) || said.has(text) ? [] : [{ token: text, weight }],
  );
}

/** Returns whether a word identifies its bearer, and is no initial, particle, title or generic word. */
export const isStrong = ({ role }: NameToken): boolean => role === 'name' || role === 'number';

function capsOf(
  aligned: readonly Pair[],
  subject: readonly WeighedToken[],
  listed: readonly WeighedToken[],
  unmatched: Alignment['unmatched'],
): Cap[] {
  const caps: Cap[] = [];
  const strong = aligned.filter(
    (pair) =>
      pair.method !== 'initial' &&
      pair.subject.some((index) => isStrong(subject[index]!)) &&
      pair.listed.some((index) => isStrong(listed[index]!)),
  );
  const words = strong.reduce((sum, { subject: s, listed: l }) => sum + Math.max(s.length, l.length), 0);
  const [ofSubject, ofListed] = [subject, listed].map((all) => all.filter(isStrong).length) as [number, number];
  const isLiteral =
    unmatched.subject.length === 0 &&
    unmatched.listed.length === 0 &&
    aligned.every(({ method }) => method === 'exact');
  const initials = aligned.some(({ method }) => method === 'initial');
  if (strong.length === 0 && !isLiteral)
    caps.push(initials ? { rule: 'initials_only', to: 0.5 } : { rule: 'generic_words_only', to: GENERIC_WORDS_ONLY });
  if (words === 1 && (ofSubject > 1 || ofListed > 1)) caps.push({ rule: 'single_strong_token', to: 0.75 });
  const numbers = [subject, listed].map((all) => all.filter(({ isNumber }) => isNumber).map(({ text }) => text)) as [
    string[],
    string[],
  ];
  if (
    numbers.every((all) => all.length > 0) &&
    numbers[0].some((number) => !numbers[1].includes(number)) &&
    numbers[1].some((number) => !numbers[0].includes(number))
  )
    caps.push({ rule: 'number_differs', to: 0.75 });
  const contradicted = contradictionCap(unmatched);
  if (contradicted !== null) caps.push({ rule: 'word_contradicted', to: contradicted });
  const said = aligned.reduce((sum, { weight, similarity }) => sum + weight * similarity, 0);
  const common = commonWordsCap(said);
  if (!isLiteral && strong.length > 0 && common !== null) caps.push({ rule: 'common_words_only', to: common });
  return caps;
}
