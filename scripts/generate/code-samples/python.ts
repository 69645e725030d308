import type { ApiModel, OperationModel } from '../model.ts';
import { snakeCase } from '../naming.ts';
import { variablesOf } from './credential.ts';
import { neededHeaders } from './needed-headers.ts';
import { pythonLiteral } from './python-literal.ts';

const WIDTH = 80;

/** The call with the Python SDK, as a program that runs as it stands. */
export function pythonSample(operation: OperationModel, { schemas }: ApiModel): string {
  const keywords = [...members(operation, schemas), ...required(operation)];
  const positional = operation.parameters.path.map((parameter) => pythonLiteral(String(parameter.example), undefined, schemas));
  const call = (before: string, after = ''): string => lay(`${before}client.${operation.sdk.python}(`, [...positional, ...keywords], `)${after}`);
  return [...imports(operation), '', ...client(operation), '', ...use(operation, call)].join('\n');
}

function imports(operation: OperationModel): string[] {
  return [...(files(operation).size > 0 ? ['from pathlib import Path', ''] : []), 'from compliance_onboarding import ComplianceOnboarding'];
}

function client(operation: OperationModel): string[] {
  return [`# Reads ${variablesOf(operation)}.`, 'client = ComplianceOnboarding()'];
}

function members({ body, ...operation }: OperationModel, schemas: ApiModel['schemas']): string[] {
  if (body === null || body.example === undefined) return [];
  if (body.members === null) return [`body=${pythonLiteral(body.example, { $ref: `#/components/schemas/${body.schemaName ?? ''}` }, schemas)}`];
  const example = body.example as Readonly<Record<string, unknown>>;
  const isFile = files({ body, ...operation });
  return body.members.filter(({ name }) => name in example).map(({ name, python, schema }) => {
    const value = pythonLiteral(example[name], schema, schemas);
    return `${python}=${isFile.has(name) ? `Path(${value})` : value}`;
  });
}

function required(operation: OperationModel): string[] {
  const query = operation.parameters.query.filter((p) => p.required);
  return [...query, ...neededHeaders(operation)].map((p) => `${p.python}=${pythonLiteral(p.example, undefined, {})}`);
}

/** On one line when it fits, otherwise one argument per line (the style of ruff and black). */
function lay(opening: string, parts: readonly string[], closing: string): string {
  const line = `${opening}${parts.join(', ')}${closing}`;
  if (line.length <= WIDTH && !line.includes('\n')) return line;
  return `${opening}\n${parts.map((part) => `    ${part.replaceAll('\n', '\n    ')},\n`).join('')}${closing}`;
}

function use(operation: OperationModel, call: (before: string, after?: string) => string): string[] {
  const [success] = operation.successes;
  if (operation.pagination !== null) {
    const item = snakeCase(operation.pagination.itemSchema);
    return [call(`for ${item} in `, ':'), `    print(${item})`];
  }
  if (success?.binary === true) return [call('download = '), 'download.write_to_file("document")'];
  if (success === undefined || success.schemaName === null) return [call('')];
  const name = snakeCase(success.schemaName);
  return [call(`${name} = `), `print(${name})`];
}

function files({ body }: Pick<OperationModel, 'body'>): ReadonlySet<string> {
  return new Set(body?.kind === 'multipart' ? (body.members ?? []).filter((member) => member.file).map((member) => member.name) : []);
}
