import { EQUAL_IDENTIFIER, type Judgement } from './judgement.ts';
import { totalOf } from './name-score.ts';

/** One reason of a score. The contributions of all reasons together are the score. */
export interface Feature {
  readonly name: 'alignment' | 'cap' | 'literal' | 'identifier' | 'modifier' | 'bounds' | 'list_rule';
  /** The method, the rule or the verdict. */
  readonly reason: string;
  readonly query: string;
  readonly candidate: string;
  readonly similarity: number | null;
  readonly weight: number | null;
  readonly contribution: number;
}

/** Why a score is what it is, in the order in which it was found: words, caps, numbers, what else is known, and the rules of the list. */
export function featuresOf(judgement: Judgement): Feature[] {
  const { alignment, isLiteral, identifier, modifiers, limits, subjectName, listedName } = judgement;
  const features: Feature[] = [];
  let score = 0;
  const add = (name: Feature['name'], reason: string, contribution: number, [query, candidate] = [subjectName, listedName.name], similarity: number | null = null, weight: number | null = null): void => {
    features.push({ name, reason, query, candidate, similarity, weight, contribution });
    score += contribution;
  };
  const all = totalOf(alignment);
  for (const { subject, listed, method, similarity, weight } of alignment.aligned) add('alignment', method, weight * similarity / all, [subject, listed], similarity, weight);
  for (const { rule, to } of alignment.caps) add('cap', rule, Math.min(0, to - score));
  // All words are equal: no word and no cap takes anything from that.
  if (isLiteral && score !== 1) add('literal', 'all_words_equal', 1 - score);
  if (identifier !== null) add('identifier', identifier.kind, Math.max(0, EQUAL_IDENTIFIER - score));
  for (const { field, verdict, subject, listed, delta } of modifiers) add('modifier', `${field}_${verdict}`, identifier === null ? delta : Math.max(0, delta), [subject, listed.join(' ')]);
  if (score > 1 || score < 0) add('bounds', score > 1 ? 'at_most_one' : 'at_least_zero', Math.min(1, Math.max(0, score)) - score);
  for (const { rule, to } of limits) add('list_rule', rule, Math.min(0, to - score));
  return features;
}
