/** Writes a call with the Python SDK. Used by the samples and by the documentation of methods. */
import { schemaName } from '../../contract/contract.ts';
import type { Schema } from '../../contract/contract.ts';
import type { ApiModel, OperationModel } from '../model.ts';
import { pythonName, snakeCase } from '../naming.ts';
import { filesOf, neededHeaders, textOf, variablesOf } from './sample.ts';

const WIDTH = 80;

/** Returns the call with the Python SDK, as a complete program. */
export function pythonSample(operation: OperationModel, model: ApiModel): string {
  return textOf({
    imports: imports(operation),
    client: client(operation),
    use: pythonUse(operation, model, 'synchronous'),
  });
}

/** Returns only the call, for the synchronous or the asynchronous client. */
export function pythonUse(
  operation: OperationModel,
  { schemas }: ApiModel,
  client: 'synchronous' | 'asynchronous',
): string[] {
  const keywords = [...members(operation, schemas), ...required(operation)];
  const positional = operation.parameters.path.map((parameter) =>
    pythonLiteral(String(parameter.example), undefined, schemas),
  );
  const [forEach, wait] = client === 'asynchronous' ? ['async for', 'await '] : ['for', ''];
  // Both clients use the same layout.
  const call = (before: string, after = ''): string =>
    lay(`${before}client.${operation.sdk.python}(`, [...positional, ...keywords], `)${after}`, WIDTH + wait.length);
  const [success] = operation.successes;
  if (operation.pagination !== null) {
    const item = snakeCase(operation.pagination.itemSchema);
    return [call(`${forEach} ${item} in `, ':'), `    print(${item})`];
  }
  if (success?.binary === true) return [call(`download = ${wait}`), `${wait}download.write_to_file("document")`];
  if (success === undefined || success.schemaName === null) return [call(wait)];
  const name = snakeCase(success.schemaName);
  return [call(`${name} = ${wait}`), `print(${name})`];
}

function imports(operation: OperationModel): string[] {
  return [
    ...(filesOf(operation).size > 0 ? ['from pathlib import Path', ''] : []),
    'from compliance_onboarding import ComplianceOnboarding',
  ];
}

function client(operation: OperationModel): string[] {
  return [`# Reads ${variablesOf(operation)}.`, 'client = ComplianceOnboarding()'];
}

function members({ body }: OperationModel, schemas: ApiModel['schemas']): string[] {
  if (body === null || body.example === undefined) return [];
  if (body.members === null)
    return [`body=${pythonLiteral(body.example, { $ref: `#/components/schemas/${body.schemaName ?? ''}` }, schemas)}`];
  const example = body.example as Readonly<Record<string, unknown>>;
  const isFile = filesOf({ body });
  return body.members
    .filter(({ name }) => name in example)
    .map(({ name, python, schema }) => {
      const value = pythonLiteral(example[name], schema, schemas);
      return `${python}=${isFile.has(name) ? `Path(${value})` : value}`;
    });
}

function required(operation: OperationModel): string[] {
  const query = operation.parameters.query.filter((p) => p.required);
  return [...query, ...neededHeaders(operation)].map((p) => `${p.python}=${pythonLiteral(p.example, undefined, {})}`);
}

/** Writes the parts on one line if they fit, otherwise one argument per line (the style of ruff and black). */
function lay(opening: string, parts: readonly string[], closing: string, width: number): string {
  const line = `${opening}${parts.join(', ')}${closing}`;
  if (line.length <= width && !line.includes('\n')) return line;
  return `${opening}\n${parts.map((part) => `    ${part.replaceAll('\n', '\n    ')},\n`).join('')}${closing}`;
}

type Schemas = ApiModel['schemas'];

/**
 * Prints an example as Python. Members of API objects get their Python names; the keys of a free map (`metadata`) are
 * the caller's own and are not changed.
 */
export function pythonLiteral(value: unknown, schema: Schema | undefined, schemas: Schemas, indent = ''): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  const inner = `${indent}    `;
  const known = resolved(schema, value, schemas);
  const parts = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item, known?.items, schemas, inner))
    : Object.entries(value).map(([key, member]) => {
        const property = propertyOf(known, key, schemas);
        const name = property === undefined ? key : pythonName(key);
        return `${JSON.stringify(name)}: ${pythonLiteral(member, property, schemas, inner)}`;
      });
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const line = `${open}${parts.join(', ')}${close}`;
  return line.length + indent.length <= 72 && !line.includes('\n')
    ? line
    : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

/** Uses double quotes, unless single quotes save escapes. */
function quoted(text: string): string {
  const literal = JSON.stringify(text);
  return text.includes('"') && !text.includes("'") ? `'${literal.slice(1, -1).replaceAll('\\"', '"')}'` : literal;
}

/** Returns the schema behind references; of a union, the variant with the tag of the value. */
function resolved(schema: Schema | undefined, value: object, schemas: Schemas): Schema | undefined {
  const name = schema === undefined ? null : schemaName(schema);
  if (name !== null) return resolved(schemas[name], value, schemas);
  const variants = (schema?.oneOf ?? [])
    .filter((variant) => variant.type !== 'null')
    .map((variant) => resolved(variant, value, schemas));
  const tag = schema?.discriminator?.propertyName;
  const chosen =
    tag === undefined
      ? variants[0]
      : variants.find((variant) => variant?.properties?.[tag]?.const === (value as Record<string, unknown>)[tag]);
  return chosen ?? schema;
}

function propertyOf(schema: Schema | undefined, key: string, schemas: Schemas): Schema | undefined {
  const own = schema?.properties?.[key];
  if (own !== undefined) return own;
  for (const part of schema?.allOf ?? []) {
    const found = propertyOf(resolved(part, {}, schemas), key, schemas);
    if (found !== undefined) return found;
  }
  return undefined;
}
