/**
 * Explains a score to people, as contributions that add up to it. Used when a hit is presented. It computes from the
 * stored judgement, so older hits are explained, too.
 */
import type { IdentifierKind } from '../listed-entity.ts';
import type { Aligned, CapRule, Unmatched } from './alignment.ts';
import { EQUAL_IDENTIFIER, type Judgement, type RuleOfList } from './judgement.ts';
import { type ModifierReason, reasonOf } from './modifiers.ts';
import { totalOf } from './name-score.ts';

/** Method, rule or verdict behind a feature. */
export type Reason =
  | Aligned['method']
  | 'only_screened'
  | 'only_listed'
  | 'all_words'
  | CapRule
  | 'all_words_equal'
  | IdentifierKind
  | 'cnpj_root'
  | ModifierReason
  | 'at_most_one'
  | 'at_least_zero'
  | RuleOfList;

/** One reason of a score. The contributions of all reasons add up to the score. */
export interface Feature {
  readonly name:
    | 'alignment'
    | 'unmatched'
    | 'divisor'
    | 'cap'
    | 'literal'
    | 'identifier'
    | 'modifier'
    | 'bounds'
    | 'list_rule';
  readonly reason: Reason;
  readonly query: string;
  readonly candidate: string;
  readonly similarity: number | null;
  readonly weight: number | null;
  /** Upper limit that a cap or a rule sets for the score. */
  readonly limit: number | null;
  readonly contribution: number;
}

/** Members of a feature that differ from those of most: the whole names, and no numbers. */
type Details = Partial<Pick<Feature, 'query' | 'candidate' | 'similarity' | 'weight' | 'limit'>>;

/**
 * Number of unmatched words of one side that are listed one by one, because an answer must hold those of names of a
 * thousand characters.
 */
const MOST_UNMATCHED = 40;
/** Longest text of an answer. */
const LONGEST_TEXT = 2000;

/**
 * Explains a score and why it is not higher, in the order in which it was computed: words, caps, numbers, other known
 * data, and the rules of the list. Matched words contribute what they would be worth without the unmatched words, and
 * each unmatched word takes its share of the loss.
 */
export function featuresOf(judgement: Judgement): Feature[] {
  const { alignment, isLiteral, identifier, modifiers, limits, subjectName, listedName } = judgement;
  const features: Feature[] = [];
  let score = 0;
  const add = (name: Feature['name'], reason: Reason, contribution: number, details: Details = {}): void => {
    features.push({
      name,
      reason,
      query: shortened(details.query ?? subjectName),
      candidate: shortened(details.candidate ?? listedName.name),
      similarity: details.similarity ?? null,
      weight: details.weight ?? null,
      limit: details.limit ?? null,
      contribution,
    });
    score += contribution;
  };
  // A limit above the score would only distract the reader.
  const addLimit = (name: 'cap' | 'list_rule', reason: CapRule | RuleOfList, to: number): void =>
    void (to < score && add(name, reason, to - score, { limit: to }));
  const all = totalOf(alignment);
  const aligned = alignment.aligned.reduce((sum, { weight }) => sum + weight, 0);
  // How words share the score is said before what each of them adds.
  add('divisor', 'all_words', 0, { weight: all });
  for (const { subject, listed, method, similarity, weight } of alignment.aligned)
    add('alignment', method, aligned === 0 ? 0 : (weight * similarity) / aligned, {
      query: subject,
      candidate: listed,
      similarity,
      weight,
    });
  const unmatched = [
    ...withOthersJoined(alignment.unmatched.subject).map((word) => ({ ...word, isListed: false })),
    ...withOthersJoined(alignment.unmatched.listed).map((word) => ({ ...word, isListed: true })),
  ];
  const [lost, rest] = [
    all === 0 ? 0 : score * (1 - aligned / all),
    unmatched.reduce((sum, { weight }) => sum + weight, 0),
  ];
  for (const { token, weight, isListed } of unmatched)
    add(
      'unmatched',
      isListed ? 'only_listed' : 'only_screened',
      rest === 0 ? 0 : (-lost * weight) / rest,
      isListed ? { query: '', candidate: token, weight } : { query: token, candidate: '', weight },
    );
  for (const { rule, to } of alignment.caps) addLimit('cap', rule, to);
  // If all words are equal, no word and no cap lowers the score.
  if (isLiteral && score !== 1) add('literal', 'all_words_equal', 1 - score);
  if (identifier !== null)
    add(
      'identifier',
      identifier.isBranch === true ? 'cnpj_root' : identifier.kind,
      Math.max(0, EQUAL_IDENTIFIER - score),
      identifier.values === undefined ? {} : { query: identifier.values.subject, candidate: identifier.values.listed },
    );
  for (const modifier of modifiers)
    add('modifier', reasonOf(modifier), identifier === null ? modifier.delta : Math.max(0, modifier.delta), {
      query: modifier.subject,
      candidate: modifier.listed.join(' '),
    });
  if (score > 1 || score < 0)
    add('bounds', score > 1 ? 'at_most_one' : 'at_least_zero', Math.min(1, Math.max(0, score)) - score);
  for (const { rule, to } of limits) addLimit('list_rule', rule, to);
  return features;
}

/** Returns the heaviest words one by one and all others as one. */
function withOthersJoined(words: readonly Unmatched[]): readonly Unmatched[] {
  if (words.length <= MOST_UNMATCHED) return words;
  const sorted = words.toSorted((a, b) => b.weight - a.weight);
  const others = sorted.splice(MOST_UNMATCHED - 1);
  return [
    ...sorted,
    { token: others.map(({ token }) => token).join(' '), weight: others.reduce((sum, { weight }) => sum + weight, 0) },
  ];
}

const shortened = (text: string): string =>
  text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1)}…`;
