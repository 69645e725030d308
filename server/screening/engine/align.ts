/**
 * Finds the best pairs of words of two names. Used by the search and, for bounds, by sought-name.ts and ways.ts. Any
 * change alters scores and needs a new version of the algorithm (screening-engine.ts).
 */
import { FORM_CLASSES } from '../names/lexicon.ts';
import { type Method, type Similarity, similarityOf } from '../names/similarity.ts';
import { type NameOf, type NameToken, tokenOf } from '../names/token.ts';
import type { Alignment, Pair, Rest, Unmatched, WeighedToken } from './alignment.ts';
import { capsOf, isStrong } from './caps.ts';
import { currentTotal, IN_SHORT, saidBy } from './name-score.ts';

/** Similarity if one side writes two words as one. */
const JOINED = 0.98;

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
  const rest: Rest = { subject: restOf(subject, taken.subject), listed: restOf(listed, taken.listed) };
  const unmatched = { subject: rest.subject.map(shownAlone), listed: rest.listed.map(shownAlone) };
  // A word is shown as it is written, and not as the word for which it stands.
  const shown = aligned.map(({ subject: s, listed: l, method, similarity: value, weight }) => ({
    subject: s.map((index) => subject[index]!.written).join(' '),
    listed: l.map((index) => listed[index]!.written).join(' '),
    method,
    similarity: value,
    weight,
  }));
  return {
    aligned: shown,
    unmatched,
    caps: capsOf(aligned, { subject, listed, of }, rest),
    total: currentTotal(of, { aligned: shown, unmatched }, of === 'person' && isInShort(aligned, listed, unmatched)),
  };
}

/** Lowest similarity of a word of a name in short: more than a mistyped one. */
const SURE = 0.9;

/**
 * Returns whether exactly one of the names has extra words and all other words agree. If the listed name has them, the
 * subject must have its first name and one of its last two.
 */
function isInShort(
  aligned: readonly Pair[],
  listed: readonly WeighedToken[],
  unmatched: Alignment['unmatched'],
): boolean {
  const [isShort, isLong] = [unmatched.subject.length === 0, unmatched.listed.length === 0];
  if (isShort === isLong || saidBy(aligned) < IN_SHORT.from || aligned.some(({ similarity }) => similarity < SURE))
    return false;
  if (isLong) return true;
  const strong = listed.flatMap((word, index) => (isStrong(word) ? [index] : []));
  const hasOneOf = (indexes: readonly number[]): boolean =>
    aligned.some((pair) => pair.listed.some((index) => indexes.includes(index)));
  return strong.length > 2 && hasOneOf(strong.slice(0, 1)) && hasOneOf(strong.slice(-2));
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
    const ofApart = s.length > l.length ? ofSubject : ofListed;
    const isOneOfTwo = s.length !== l.length && value >= JOINED;
    pairs.push({
      subject: s,
      listed: l,
      method,
      similarity: value,
      weight: isOneOfTwo ? ofApart : Math.min(ofSubject, ofListed),
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
      const text = a.written + b.written;
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
  const length = a.written.length + b.written.length;
  // An abbreviation may be what was written apart: the word that it stands for is longer.
  const isAsLong = (text: string): boolean => Math.abs(length - text.length) <= 2;
  if (!isAsLong(other.text) && !isAsLong(other.written)) return false;
  if (other.text === a.written || other.text === b.written) return false;
  return other.text[0] === a.written[0] || other.text[1] === (a.written[1] ?? b.written[0]);
}

function formsOf(a: NameToken, b: NameToken): (Similarity & { readonly method: 'form' }) | Similarity | null {
  if (a.text === b.text) return { method: 'exact', value: 1 };
  const form = FORM_CLASSES.get(a.text);
  return form !== undefined && form === FORM_CLASSES.get(b.text) ? { method: 'form' as Method, value: 1 } : null;
}

/** Returns the unmatched words. A repeated word counts once. */
function restOf(all: readonly WeighedToken[], taken: ReadonlySet<number>): WeighedToken[] {
  const said = new Set([...taken].map((index) => all[index]!.text));
  return all.filter(({ text }, index) => !taken.has(index) && !said.has(text));
}

const shownAlone = ({ written, weight }: WeighedToken): Unmatched => ({ token: written, weight });
