import { verdictOf } from '../change.ts';
import { reachOf, summaryOf } from '../comparison.ts';
import type { Format } from './index.ts';

/** For a comment below a pull request. */
export const markdown: Format = (comparison) => [
  `## Contract: ${comparison.verdict}`,
  '',
  summaryOf(comparison),
  ...(comparison.changes.length === 0 ? [] : ['', '| | Where | What | Rule |', '|---|---|---|---|']),
  ...comparison.changes.map((change) => `| ${change.policy === true ? '**against the policy**' : verdictOf([change])} | ${cell(`\`${change.place}\``)} | ${cell(`${change.message}${reachOf(change)}`)} | ${change.rule} |`),
].join('\n');

function cell(value: string): string {
  return value.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
