/**
 * Writes the page of the dialect for readers from the definitions. Used by the pipeline. The page cannot contradict the
 * definitions.
 */
import { members } from '../contract/dialect.ts';
import type { MemberName } from '../contract/dialect.ts';
import { HEADERS, PARAMETERS, STATUSES } from '../contract/format/implied.ts';
import { asCode, inWords } from '../contract/member.ts';
import type { Comparison, Member, MemberOwner } from '../contract/member.ts';
import { generatedBy } from './source-text.ts';

const HEADINGS: Readonly<Record<MemberOwner, string>> = {
  operation: 'On an operation',
  parameter: 'On a parameter',
  schema: 'On a schema',
};

/** Returns `docs/guides/contract-dialect.md`: the table of scripts/contract/dialect.ts for readers. */
export function dialectPage(): string {
  return [
    `<!-- ${generatedBy('scripts/generate.ts').replace('openapi.yaml', 'scripts/contract/dialect.ts')} -->`,
    '# The dialect of the contract',
    '',
    'Beside what OpenAPI 3.1 defines, `openapi.yaml` says the rest of an operation in members that begin with ' +
      '`x-`. These are all of them; lint refuses',
    'any other, and a value of another form. What a change of one means for callers is what `make diff` says of it',
    '([decision 19](../decisions/0019-contract-evolution.md)); a change that is not listed is docs-only. How to ' +
      'write an operation is told in',
    '[the guide for API designers](api-designers.md).',
    ...(Object.keys(HEADINGS) as MemberOwner[]).flatMap((place) => [
      '',
      `## ${HEADINGS[place]}`,
      '',
      '| Member | Value | Left out | Means | A change is |',
      '|---|---|---|---|---|',
      ...members.filter(([, { on }]) => on.includes(place)).map(([name, member]) => row(name, member)),
    ]),
    '',
    '## What follows, and `make format` writes',
    '',
    'It adds what is missing and never replaces what stands there: whoever wants another answer writes ' +
      'it. This is the table of',
    '`scripts/contract/format/implied.ts`. The token endpoint is left out of it, because it ' +
      'answers as RFC 6749 demands.',
    '',
    '| Written | Because of |',
    '|---|---|',
    ...PARAMETERS.map(({ parameter, because }) => `| the parameter \`${parameter}\` | ${because} |`),
    ...STATUSES.map(({ status, response, because }) => `| the status ${status}, \`${response}\` | ${because} |`),
    ...HEADERS.map(
      ({ header, because }) => `| on an answer that the operation describes itself, \`${header}\` | ${because} |`,
    ),
    '',
  ].join('\n');
}

function row(name: MemberName, { schema, required, default: fallback, implied, text, changes = [] }: Member): string {
  const missing = required === true ? 'never' : (implied ?? (fallback === undefined ? '' : asCode(fallback)));
  const told = changes.flatMap((comparison) => weights(comparison));
  const cells = [`\`${name}\``, inWords(schema), missing, text, told.join('; ')];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Returns a text such as `breaking: no longer for …`. */
function weights({ gained, lost, changed }: Comparison<never>): string[] {
  const told = [lost, changed, gained]
    .filter((one) => one !== undefined)
    .map(([verdict, message]) => `**${verdict}**: ${message.replaceAll(/\{\w+\}/g, '…')}`);
  return [...new Set(told)];
}
