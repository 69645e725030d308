/**
 * Which words of an index may match a word of a name. Used by candidates.ts and sought-name.ts. A kind of similarity
 * that is missing here is never found, however similar the words are.
 */
import { FORM_CLASSES, NICKNAMES_OF } from '../names/lexicon.ts';
import { comparedAs, type NameOf, type NameToken, tokenOf, weightOf } from '../names/token.ts';
import { likenessOf } from './align.ts';
import type { NameSide, Side, WeighedToken } from './alignment.ts';
import type { IndexedNames } from './indexed-names.ts';
import { gapsOf } from './name-index.ts';

/** A word to look up in place of a word of a name. */
interface Probe {
  readonly token: NameToken;
  /** Position of the word that it stands for, or of the first of two. */
  readonly first: number;
  readonly isJoined: boolean;
  /** Largest total weight of the words it is a piece of; null if it stands for a whole word. */
  readonly says: number | null;
}

/** A word of the index that may match words of the name. */
export interface Way {
  readonly word: number;
  readonly first: number;
  readonly isJoined: boolean;
  /** Largest weight that it can contribute to the word of the name. */
  readonly says: number;
}

/** Length from which words are also looked up in two pieces, because the other side may write them apart. */
const SPLIT_FROM = 4;

/**
 * Returns each word, each two adjacent words as one, and the pieces of long words; a subject may be screened under one
 * of two pieces.
 */
function probesOf(
  tokens: readonly WeighedToken[],
  of: NameOf,
  side: Side,
  isWord: (written: string) => boolean,
): Probe[] {
  const word = (text: string, { isUnvowelled }: NameToken): NameToken => tokenOf({ text, isUnvowelled }, of);
  return tokens.flatMap((token, first) => {
    const probes: Probe[] = [wordProbe(token, first, null)];
    const next = tokens[first + 1];
    if (next !== undefined)
      probes.push({
        token: word(token.written + next.written, token),
        first,
        isJoined: true,
        says: token.weight + next.weight,
      });
    if (token.isNumber) return probes;
    // The other side may write an abbreviation apart, or the word for which it stands.
    for (const whole of new Set([token.written, token.text]))
      for (let at = 2; whole.length >= SPLIT_FROM && at <= whole.length - 2; at++) {
        const pieces = [whole.slice(0, at), whole.slice(at)];
        if (side === 'subject' ? !pieces.every(isWord) : !pieces.some(isWord)) continue;
        const words = pieces.map((piece) => word(piece, token));
        // Two words have more weight than the one word into which they were joined.
        const says = Math.max(
          token.weight,
          words.reduce((sum, piece) => sum + weightOf(piece, 0), 0),
        );
        probes.push(...words.map((piece) => wordProbe(piece, first, says)));
      }
    return probes;
  });
}

function wordProbe(token: NameToken, first: number, says: number | null): Probe {
  return {
    token,
    first,
    isJoined: false,
    says,
  };
}

const FORMS_OF: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy(FORM_CLASSES, ([, form]) => form)].map(([form, all]) => [form, all.map(([word]) => word)]),
);

/** Returns the words of the index that are similar to a sought word, with their similarity. */
function expand(
  names: IndexedNames,
  token: NameToken,
  side: Side,
  weighed: (word: number) => WeighedToken,
): Map<number, number> {
  const alike = new Map<number, number>();
  const verify = (words: Uint32Array): void => {
    for (const word of words) {
      if (alike.has(word)) continue;
      const other = weighed(word);
      const value = (side === 'subject' ? likenessOf(token, other) : likenessOf(other, token))?.value ?? 0;
      if (value > 0) alike.set(word, value);
    }
  };
  verify(names.lookUp('text', token.text));
  if (token.role === 'form')
    for (const form of FORMS_OF.get(FORM_CLASSES.get(token.text)!)!) verify(names.lookUp('text', form));
  if (token.isNumber || token.text.length === 1) return alike;
  for (const form of NICKNAMES_OF.get(token.text) ?? []) verify(names.lookUp('text', form));
  // The other side may have an initial in place of the word.
  verify(names.lookUp('text', token.text[0]!));
  verify(names.lookUp('sound', token.voiceless));
  if (token.skeleton.length >= 2) verify(names.lookUp('skeleton', token.skeleton));
  for (const reading of token.readings) verify(names.lookUp('reading', reading));
  for (const left of gapsOf(token.text)) verify(names.lookUp('gap', left));
  return alike;
}

/**
 * Returns all words of the index that lead to similar names. The side is that of the words that are looked up: a
 * subject, among the names of lists, or a list, among the names of subjects.
 */
export function waysOf(
  names: IndexedNames,
  tokens: readonly WeighedToken[],
  { of, side }: NameSide,
  weighed: (word: number) => WeighedToken,
): Way[] {
  const isWord = (written: string): boolean =>
    names.wordOf({ written, text: comparedAs(written, of) }, of) !== undefined;
  return probesOf(tokens, of, side, isWord).flatMap(({ token, first, isJoined, says }) =>
    Array.from(expand(names, token, side, weighed), ([word, value]) => ({
      word,
      first,
      isJoined,
      says: says ?? value * Math.min(tokens[first]!.weight, weighed(word).weight),
    })),
  );
}
