import { generatedBy } from '../header.ts';
import type { ApiModel, OperationModel } from '../model.ts';
import { answerType } from './answer.ts';
import type { Naming } from './argument-type.ts';
import { argumentsOf } from './arguments.ts';
import { followRow } from './follow-method.ts';
import { resourceNodes } from './resource-module.ts';

/** `api.md`: every call of the package on one page. */
export function apiMap(model: ApiModel, naming: Naming): string {
  const sections = resourceNodes(model.resources).filter((node) => node.operations.length > 0).map((node) => {
    const path = node.operations[0]?.sdk.python.split('.').slice(0, -1).join('.') ?? '';
    const rows = [...node.operations.map((operation) => row(operation, model, naming)), ...node.operations.map(followRow)];
    return `## \`client.${path}\`\n\n| Call | Answer | |\n|---|---|---|\n${rows.join('')}`;
  });
  return `<!-- ${generatedBy('scripts/generate.ts')} -->\n\n# ${model.title} ${model.version}: every call\n\n`
    + 'Arguments in brackets may be left out. Every call also takes `timeout`, `deadline`, `max_retries`, `extra_headers` and `extra_query`; those marked '
    + '† also take `idempotency_key`. `AsyncComplianceOnboarding` has the same calls, to be awaited.\n\n'
    + sections.join('\n');
}

function row(operation: OperationModel, model: ApiModel, naming: Naming): string {
  const args = argumentsOf(operation, naming, model.schemas);
  const positional = args.filter(({ kind }) => kind === 'path').map(({ name }) => name);
  const keywords = args.filter(({ kind }) => kind !== 'path').map(({ name, fallback }) => (fallback === null ? `${name}=` : `[${name}=]`));
  const call = `${operation.sdk.python.split('.').at(-1) ?? ''}(${[...positional, ...keywords].join(', ')})`;
  const answer = answerType(operation, model).replace('AsyncPaginator', 'Page').replace('Async', '').replace('models.', '');
  return `| \`${call}\`${operation.idempotent ? ' †' : ''} | \`${answer}\` | ${operation.summary.replace(/\.?$/, '')} · \`${operation.method.toUpperCase()} ${operation.path}\` |\n`;
}
