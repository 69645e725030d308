/** Writes the types of the schemas with hey-api, and which members are personal or loggable. Used by index.ts. */
import { createClient } from '@hey-api/openapi-ts';
import { dereference, METHODS, resolve, schemaTypes } from '../../contract/contract.ts';
import type { Contract, Operation, Parameter, RequestBody, Response, Schema } from '../../contract/contract.ts';
import type { ApiModel } from '../model.ts';
import { generatedBy } from '../source-text.ts';

/**
 * Writes the types of the schemas, and a few for each operation, with hey-api, configured to keep enumerations open
 * that the contract marks `x-enum-open`.
 */
export async function writeTypes(directory: string, contract: Contract): Promise<void> {
  await createClient({
    input: { ...contract },
    logs: { level: 'silent' },
    output: {
      path: directory,
      clean: true,
      entryFile: false,
      header: [`// ${generatedBy('scripts/generate.ts')}`],
      importFileExtension: '.ts',
    },
    // The dialect has separate schemas for requests, and the split would remove maps from requests.
    parser: { transforms: { readWrite: { enabled: false } } },
    plugins: [
      {
        name: '@hey-api/typescript',
        enums: false,
        $resolvers: {
          /** `'a' | 'b' | (string & {})`: completion for what is known, room for what a later version adds. */
          enum: (context) =>
            isOpen(context.schema)
              ? context.$.type.or(
                  context.nodes.base(context),
                  context.$.type.and(context.$.type('string'), context.$.type.object()),
                )
              : undefined,
        },
      },
    ],
  });
}

function isOpen(schema: object): boolean {
  return 'x-enum-open' in schema && schema['x-enum-open'] === true;
}

/** Literal for every unknown tag, because the compiler narrows a union only by literals; no response contains it. */
const UNKNOWN_TAG = '(unknown to this version)';

/**
 * Returns the contract with a last variant in every union, for variants that a later version of the API may add:
 * comparing the tag with a known value narrows to that variant, and the compiler reports to a program that handles all
 * known variants that there may be others.
 */
export function withOpenUnions(contract: Contract): Contract {
  const schemas = Object.entries(contract.components.schemas ?? {}).flatMap(([name, schema]) =>
    isUnion(schema) ? opened(name, schema) : [[name, schema] as const],
  );
  return { ...contract, components: { ...contract.components, schemas: Object.fromEntries(schemas) } };
}

function isUnion(schema: Schema): boolean {
  return schema.discriminator !== undefined && schema.oneOf !== undefined;
}

function opened(name: string, { discriminator, oneOf = [], ...schema }: Schema): (readonly [string, Schema])[] {
  const tag = discriminator?.propertyName ?? '';
  const unknown = `Unknown${name}`;
  return [
    // The variants require their tags as constants; the discriminator would add the name of the unknown variant as its
    // tag.
    [name, { ...schema, oneOf: [...oneOf, { $ref: `#/components/schemas/${unknown}` }] }],
    [
      unknown,
      {
        description:
          `A variant that a later version of the API adds. Its \`${tag}\` is whatever the answer says: the type ` +
          'only stands for it.',
        type: 'object',
        required: [tag],
        additionalProperties: true,
        properties: { [tag]: { type: 'string', const: UNKNOWN_TAG } },
      },
    ],
  ];
}

/** Returns where each operation contains data that the contract marks as personal. */
export function personalDataFile(contract: Contract, model: ApiModel): string {
  const entries = model.operations.flatMap(({ operationId }) => {
    const places = placesOf(contract, operationOf(contract, operationId));
    return Object.values(places).every((list) => list.length === 0)
      ? []
      : [
          `  ${operationId}: {\n${Object.entries(places)
            .map(([part, list]) => `    ${part}: [${list.map((place) => `'${place}'`).join(', ')}],\n`)
            .join('')}  },\n`,
        ];
  });
  return (
    '/** Names of query parameters, and JSON Pointers (RFC 6901) into bodies, in which `*` ' +
    'stands for every item. */\n' +
    'export interface PersonalData {\n' +
    '  readonly query: readonly string[];\n' +
    '  readonly request: readonly string[];\n' +
    '  readonly response: readonly string[];\n' +
    '}\n\n' +
    '/** Where the operations carry personal data, for masking it in logs of your own. An operation that is not ' +
    'named carries none. */\n' +
    'export const personalData: Readonly<Record<string, PersonalData>> = {\n' +
    `${entries.join('')}};\n`
  );
}

function operationOf(contract: Contract, id: string): Operation {
  const operations = Object.values(contract.paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
  return operations.find(({ operationId }) => operationId === id) as Operation;
}

function placesOf(contract: Contract, operation: Operation): Record<'query' | 'request' | 'response', string[]> {
  const query = (operation.parameters ?? [])
    .map((node) => resolve<Parameter>(contract, node))
    .filter((parameter) => parameter.in === 'query' && isPersonal(contract, parameter.schema));
  const request =
    operation.requestBody === undefined ? [] : schemasIn(resolve<RequestBody>(contract, operation.requestBody).content);
  const response = Object.values(operation.responses).flatMap((node) =>
    schemasIn(resolve<Response>(contract, node).content),
  );
  const pointers = (schemas: readonly Schema[]): string[] =>
    [...new Set(schemas.flatMap((schema) => pointersIn(contract, schema, '', [])))].sort();
  return { query: query.map(({ name }) => name), request: pointers(request), response: pointers(response) };
}

function schemasIn(content: RequestBody['content'] | undefined): Schema[] {
  return Object.values(content ?? {}).flatMap(({ schema }) => schema ?? []);
}

function isPersonal(contract: Contract, node: Schema): boolean {
  return node['x-pii'] === true || dereference(contract, node)['x-pii'] === true;
}

/** Returns pointers to personal data; `within` holds the enclosing schemas, so that recursion ends. */
function pointersIn(contract: Contract, node: Schema, at: string, within: readonly Schema[]): string[] {
  const schema = dereference(contract, node);
  if (isPersonal(contract, node)) return [at];
  if (within.includes(schema)) return [];
  const below = (child: Schema, place: string): string[] => pointersIn(contract, child, place, [...within, schema]);
  return [
    ...[...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap((part) => below(part, at)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => below(member, `${at}/${name}`)),
    ...(schema.items === undefined ? [] : below(schema.items, `${at}/*`)),
    ...(typeof schema.additionalProperties === 'object' ? below(schema.additionalProperties, `${at}/*`) : []),
  ];
}

/**
 * Returns the members whose values a log may show or traverse: wherever the contract declares a member of that name, it
 * is an enumeration, a flag, or an object with declared members, and never personal data. Members that the contract
 * does not declare are not included.
 */
export function shownFile(contract: Contract): string {
  const members = new Map<string, Schema[]>();
  for (const schema of Object.values(contract.components.schemas ?? {})) collect(schema, members);
  const names = [...members]
    .filter(([, schemas]) => schemas.every((schema) => isHarmless(contract, schema)))
    .map(([name]) => name)
    .sort();
  return (
    `/** Members without personal data: enumerations, flags, and objects made of declared members. */\n` +
    `export const SHOWN: ReadonlySet<string> = /* @__PURE__ */ new Set((\n${lines(names)
      .map((line) => `  '${line}'`)
      .join(' +\n')}\n).split(' '));\n`
  );
}

/** Collects every declared member by name. */
function collect(schema: Schema, members: Map<string, Schema[]>): void {
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    members.set(name, [...(members.get(name) ?? []), member]);
    collect(member, members);
  }
  const inner = [
    schema.items,
    typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined,
    ...(schema.allOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.anyOf ?? []),
  ];
  for (const part of inner) if (part !== undefined) collect(part, members);
}

/** `within` holds the enclosing schemas, so that recursion ends: a schema is harmless if the rest of it is. */
function isHarmless(contract: Contract, node: Schema, within: readonly Schema[] = []): boolean {
  const schema = dereference(contract, node);
  if (node['x-pii'] || schema['x-pii']) return false;
  if (schema.enum !== undefined || schema.const !== undefined || schema.type === 'boolean' || schema.type === 'null')
    return true;
  if (within.includes(schema)) return true;
  if (schemaTypes(schema).filter((type) => type !== 'null').length > 1) return false;
  const below = (child: Schema) => isHarmless(contract, child, [...within, schema]);
  const variants = schema.allOf ?? schema.oneOf ?? schema.anyOf;
  if (variants !== undefined) return variants.every(below);
  if (schema.items !== undefined) return below(schema.items);
  return (
    schema.properties !== undefined &&
    typeof schema.additionalProperties !== 'object' &&
    schema.additionalProperties !== true
  );
}

/** Returns lines of at most 120 characters, each except the last with a trailing space. */
function lines(names: readonly string[]): string[] {
  const rows: string[] = [];
  for (const name of names) {
    const row = rows.at(-1);
    if (row === undefined || row.length + name.length > 120) rows.push(name);
    else rows[rows.length - 1] = `${row} ${name}`;
  }
  return rows.map((row, index) => (index < rows.length - 1 ? `${row} ` : row));
}
