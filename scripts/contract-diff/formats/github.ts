import { isAcceptable, reachOf, summaryOf } from '../comparison.ts';
import type { Change } from '../change.ts';
import type { Format } from './index.ts';

/** Workflow commands that annotate lines of the contract; breaking changes are errors only while they are unacceptable. */
export const github: Format = (comparison, locate, file) => [
  ...comparison.changes.map((change) => `::${level(change, comparison.fits)} file=${property(file)},line=${locate(change)},title=${property(`${change.impact}: ${change.rule}`)}::${data(`${change.place}: ${change.message}${reachOf(change)}`)}`),
  `::${isAcceptable(comparison) ? 'notice' : 'error'} file=${property(file)},title=${property(`contract: ${comparison.verdict}`)}::${data(summaryOf(comparison))}`,
].join('\n');

function level({ impact, policy }: Change, fits: boolean): 'error' | 'warning' | 'notice' {
  if (policy === true) return 'error';
  return impact !== 'major' ? 'notice' : fits ? 'warning' : 'error';
}

/** Escapes as workflow commands want them. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
