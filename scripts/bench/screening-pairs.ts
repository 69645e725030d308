/** Measures the score of pairs of names, without a search. Used by screening-accuracy.ts. */
import { align } from '../../server/screening/engine/align.ts';
import { nameScoreOf, withWriting } from '../../server/screening/engine/judgement.ts';
import { literalKey } from '../../server/screening/engine/name-index.ts';
import { ofacScore } from '../../server/screening/engine/ofac-score.ts';
import { type NameOf, tokensOf, weightOf } from '../../server/screening/names/token.ts';
import { amount, type Row } from './figures.ts';
import { labelled, type LabelledRow, percent } from './screening-data.ts';
import { type Half, halfOf } from './screening-rewriting.ts';
import { areaUnderCurve, bestF1 } from './separation.ts';

/** Measures pairs of names that are hard to distinguish, half of them of the same person, and pairs across scripts. */
export function pairs(): Row[] {
  const scripts = labelled('cross_script_pairs.csv');
  return [
    ...orderingOf(labelled('name_pairs_nomenklatura.csv'), ''),
    [
      'pairs across scripts at 0.70',
      percent(
        scripts.filter((row) => scoreOfNames(row['name1']!, row['name2']!, 'person') >= 0.7).length,
        scripts.length,
      ),
      '≥ 81',
    ],
  ];
}

/** Measures the hard pairs of one half, drawn by the first of both names. */
export const ordering = (half: Half): Row[] =>
  orderingOf(
    labelled('name_pairs_nomenklatura.csv').filter((row) => halfOf(`pair ${row['name1']}`) === half),
    `: ${half}`,
  );

/** Returns the score of two names that are on no list. */
export function scoreOfNames(one: string, other: string, of: NameOf): number {
  // A pair is on no list, so its words get the weights of the product's own list of frequent words.
  const weighed = (name: string, of: NameOf) =>
    tokensOf(name, of).map((token) => ({ ...token, weight: weightOf(token, 0) }));
  return nameScoreOf({
    ...withWriting(
      {
        subjectName: one,
        listedName: { name: other, kind: 'primary', quality: 'strong' },
        isLiteral: literalKey(one) === literalKey(other),
        alignment: align(weighed(one, of), weighed(other, of), of),
      },
      of,
    ),
  });
}

function orderingOf(labelledPairs: readonly LabelledRow[], which: string): Row[] {
  const hard = labelledPairs.map((row) => ({
    isMatch: row['is_match'] === 'true',
    score: scoreOfNames(row['name1']!, row['name2']!, row['schema'] === 'Person' ? 'person' : 'organisation'),
  }));
  return [
    [`hard pairs of names: F1 at the best threshold${which}`, amount(bestF1(hard), ''), '≥ 0.83'],
    [`hard pairs of names: area under the curve${which}`, amount(areaUnderCurve(hard), ''), '≥ 0.88'],
  ];
}

/** Compares with scores of OFAC's search tool, which reports nothing about results that it does not show. */
export function ofacTool(): Row[] {
  const off = labelled('ofac_tool_scores.csv')
    .filter((row) => Number(row['ofac_score']) >= 0)
    .map((row) => Math.abs(Number(row['ofac_score']) - ofacScore(row['query_name']!, row['result_name']!)));
  return [
    [
      'search tool of OFAC, emulated: points off, on average',
      amount(off.reduce((sum, points) => sum + points, 0) / off.length, ''),
      '≤ 2',
    ],
    ['… within 5 points', percent(off.filter((points) => points <= 5).length, off.length), '≥ 93'],
  ];
}
