/**
 * Output formats of the comparison. Used by the command. Texts from contracts are escaped for the format in which they
 * appear.
 */
import { isAcceptable, reachOf, summaryOf, verdictOf } from './change.ts';
import type { Change, Comparison } from './change.ts';
import type { Locate } from './locate.ts';

/** `locate` returns the line of `file`, the revision, at which a change was made. */
type Format = (comparison: Comparison, locate: Locate, file: string) => string;

/** Format for a terminal. */
const text: Format = (comparison) =>
  [
    ...(['breaking', 'non-breaking', 'docs-only'] as const).flatMap((verdict) => {
      const changes = comparison.changes.filter((change) => verdictOf([change]) === verdict);
      if (changes.length === 0) return [];
      return [
        `${verdict}:`,
        ...changes.map(
          (change) =>
            `  ${change.place}: ${change.message} ` +
            `(${change.rule}${change.policy === true ? ', against the policy' : ''})${reachOf(change)}`,
        ),
      ];
    }),
    summaryOf(comparison),
  ].join('\n');

/** Format for programs. */
const json: Format = (comparison, locate) => {
  const { verdict, from, to, needed, changes } = comparison;
  return JSON.stringify(
    {
      verdict,
      acceptable: isAcceptable(comparison),
      version: { base: from, revision: to, needed },
      changes: changes.map((change) => ({
        verdict: verdictOf([change]),
        ...change,
        policy: change.policy ?? false,
        line: locate(change),
        pointer: undefined,
        removedFrom: undefined,
        component: undefined,
      })),
    },
    null,
    2,
  );
};

/** Format for a comment on a pull request. */
const markdown: Format = (comparison) =>
  [
    `## Contract: ${comparison.verdict}`,
    '',
    summaryOf(comparison),
    ...(comparison.changes.length === 0 ? [] : ['', '| | Where | What | Rule |', '|---|---|---|---|']),
    ...comparison.changes.map(
      (change) =>
        `| ${change.policy === true ? '**against the policy**' : verdictOf([change])} | ` +
        `${cell(`\`${change.place}\``)} | ${cell(`${change.message}${reachOf(change)}`)} | ${change.rule} |`,
    ),
  ].join('\n');

function cell(value: string): string {
  return value.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/**
 * Workflow commands that annotate lines of the contract; breaking changes are errors only while they are unacceptable.
 */
const github: Format = (comparison, locate, file) =>
  [
    ...comparison.changes.map(
      (change) =>
        `::${level(change, comparison.fits)} file=${property(file)},line=${locate(change)},` +
        `title=${property(`${change.impact}: ${change.rule}`)}::` +
        data(`${change.place}: ${change.message}${reachOf(change)}`),
    ),
    `::${isAcceptable(comparison) ? 'notice' : 'error'} file=${property(file)},` +
      `title=${property(`contract: ${comparison.verdict}`)}::${data(summaryOf(comparison))}`,
  ].join('\n');

function level({ impact, policy }: Change, fits: boolean): 'error' | 'warning' | 'notice' {
  if (policy === true) return 'error';
  if (impact !== 'major') return 'notice';
  return fits ? 'warning' : 'error';
}

/** Escapes a text as workflow commands demand. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

export const formats = {
  text,
  json,
  markdown,
  github,
} as const satisfies Readonly<Record<string, Format>>;
export type FormatName = keyof typeof formats;
