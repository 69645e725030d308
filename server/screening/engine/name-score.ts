/**
 * The score of an alignment, and upper bounds of it. Used by search and judgement. Bounds must never be below the real
 * score, or names would not be found.
 */
import type { NameOf } from '../names/token.ts';
import type { Aligned, Alignment, NameSide } from './alignment.ts';
import { commonWordsCap, GENERIC_WORDS_ONLY } from './caps.ts';

interface Costs {
  /** Cost of a word that the other name lacks. */
  readonly subject: number;
  readonly listed: number;
  /**
   * Cost of two words that contradict each other: at least that of one of them with the factor `scarce`, or the bounds
   * of the search are too low.
   */
  readonly both: number;
  /** Largest factor on these costs if the aligned words have little weight. */
  readonly scarce: number;
}

/**
 * Costs of unmatched words. A list knows more names of a person than a form asks for, so its words cost less. Unmatched
 * words on both sides contradict each other and cost most.
 */
export const COSTS: Readonly<Record<NameOf, Costs>> = {
  person: {
    subject: 0.38,
    listed: 0.25,
    both: 0.51,
    scarce: 1.33,
  },
  organisation: {
    subject: 0.55,
    listed: 0.22,
    both: 0.8,
    scarce: 1.33,
  },
};

/**
 * Costs of the extra words if one name of a person contains all words of the other, by the side that has the extra
 * words. They apply if the agreeing words weigh at least `from`; below it, the names are too common.
 */
export const IN_SHORT = { listed: 0.1, subject: 0.2, from: 0.95 } as const;

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
 * Returns an upper bound of the score, if the agreeing words weigh at most `said` and the unmatched words of one side
 * weigh at least `unmatched`. `isAnyStrong` says whether a word that identifies its bearer may agree, and
 * `areOthersSaid` whether all words of the other side may.
 */
export function mostScore(
  said: number,
  unmatched: number,
  { of, side }: NameSide,
  { isAnyStrong, areOthersSaid }: { readonly isAnyStrong: boolean; readonly areOthersSaid: boolean },
): number {
  const cost = areOthersSaid && of === 'person' && said >= IN_SHORT.from ? IN_SHORT[side] : COSTS[of][side];
  return Math.min(
    said / (said + scarcity(said, COSTS[of]) * cost * unmatched),
    isAnyStrong ? (commonWordsCap(said) ?? 1) : GENERIC_WORDS_ONLY,
  );
}

export const saidBy = (aligned: readonly Pick<Aligned, 'weight' | 'similarity'>[]): number =>
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

/** Returns the total weight by the costs that apply today, to be stored with the alignment. */
export function currentTotal(of: NameOf, words: Pick<Alignment, 'aligned' | 'unmatched'>, isInShort: boolean): number {
  const { listed, subject } = IN_SHORT;
  return totalBy(isInShort ? { ...COSTS[of], listed, subject } : COSTS[of], words);
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
