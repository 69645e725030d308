import type { ApiModel, OperationModel } from '../model.ts';
import { snakeCase } from '../naming.ts';
import { credentialOf } from './credential.ts';
import { pythonLiteral } from './python-literal.ts';

/** The call with the Python SDK, as a program that runs as it stands. */
export function pythonSample(operation: OperationModel, { schemas }: ApiModel): string {
  const keywords = [...members(operation, schemas), ...required(operation)];
  const positional = operation.parameters.path.map((parameter) => pythonLiteral(String(parameter.example), undefined, schemas));
  const call = `client.${operation.sdk.python}(${lay([...positional, ...keywords])})`;
  return [...imports(operation), '', client(operation), '', ...use(operation, call)].join('\n');
}

function imports(operation: OperationModel): string[] {
  const standard = [
    ...(credentialOf(operation) === 'access token' ? ['import os'] : []),
    ...(files(operation).size > 0 ? ['from pathlib import Path'] : []),
  ];
  return [...standard, ...(standard.length > 0 ? [''] : []), 'from compliance_onboarding import ComplianceOnboarding'];
}

function client(operation: OperationModel): string {
  const token = credentialOf(operation) === 'access token' ? 'access_token=os.environ["COMPLIANCE_ACCESS_TOKEN"]' : '';
  return `client = ComplianceOnboarding(${token})`;
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
  const { query, header } = operation.parameters;
  return [...query, ...header].filter((p) => p.required).map((p) => `${p.python}=${pythonLiteral(p.example, undefined, {})}`);
}

/** On one line when it fits, otherwise one argument per line (the style of ruff and black). */
function lay(parts: readonly string[]): string {
  const line = parts.join(', ');
  if (line.length <= 60 && !line.includes('\n')) return line;
  return `\n${parts.map((part) => `    ${part.replaceAll('\n', '\n    ')},\n`).join('')}`;
}

function use(operation: OperationModel, call: string): string[] {
  const [success] = operation.successes;
  if (operation.pagination !== null) {
    const item = snakeCase(operation.pagination.itemSchema);
    return [`for ${item} in ${call}:`, `    print(${item})`];
  }
  if (success?.binary === true) return [`download = ${call}`, 'download.write_to_file("document")'];
  if (success === undefined || success.schemaName === null) return [call];
  const name = snakeCase(success.schemaName);
  return [`${name} = ${call}`, `print(${name})`];
}

function files({ body }: Pick<OperationModel, 'body'>): ReadonlySet<string> {
  return new Set(body?.kind === 'multipart' ? (body.members ?? []).filter((member) => member.file).map((member) => member.name) : []);
}
