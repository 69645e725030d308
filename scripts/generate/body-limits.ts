/**
 * Computes the largest body of each operation from its schema. Used by the tables of the server and by the mock. A
 * schema without an end must state `x-max-bytes`.
 */
import { generatedBy, literal } from './source-text.ts';
import type { ApiModel, OperationModel } from './model.ts';
import { schemaName, schemaTypes } from '../contract/contract.ts';
import { ContractError } from '../contract/read.ts';
import { recursiveWithin } from '../contract/recursion.ts';
import type { Schema } from '../contract/contract.ts';
import { most, Shapes, textOf } from './body-shapes.ts';
import type { Shape } from './body-shapes.ts';

type Schemas = Readonly<Record<string, Schema>>;

/** Convention: no body except a file is larger. */
const LARGEST_BODY = 1024 * 1024;
/**
 * Lowest limit: a lower one would not protect better, and this one lets an entirely wrong body be read and its errors
 * be reported.
 */
const SMALLEST_LIMIT = 4096;
/** White space between two values: a line break and the indentation of a deep value. */
const WHITE_SPACE = 32;
/** Length of a number, which may be written with more digits than necessary. */
const NUMBER = 32;

export interface BodyLimits {
  readonly bodyLimits: Readonly<Record<string, { readonly bytes: number; readonly shape: string }>>;
  readonly shapes: Readonly<Record<string, Shape>>;
}

/**
 * Returns the largest size of a body of each operation, and what it may contain where. Both follow from the schemas, in
 * which everything has a bound.
 */
export function bodyLimits(model: ApiModel): BodyLimits {
  const bodies = model.operations.flatMap((operation) =>
    isText(operation) ? [[operation.operationId, limitsOf(operation, model.schemas)] as const] : [],
  );
  const shapes = new Shapes(model.schemas);
  for (const [, { shape }] of bodies) shapes.add(shape);
  return { bodyLimits: Object.fromEntries(bodies), shapes: shapes.found };
}

/** Returns `server/contract/generated/body-limits.ts`. */
export function bodyLimitsTable(model: ApiModel): string {
  const limits = bodyLimits(model);
  return [
    `// ${generatedBy('scripts/generate.ts')}`,
    '/** For each operation the most bytes that its body may have, and the name of its shape. */',
    `export const bodyLimits = ${literal(limits.bodyLimits, 1)} as const;`,
    '',
    '/** The longest text, the most items, entries and bytes, and the members. Names stand for shapes. */',
    `export const shapes = ${literal(limits.shapes, 1)} as const;`,
    '',
  ].join('\n');
}

/** Returns whether the body is text; the reader of multipart forms limits files. */
function isText({ body }: OperationModel): boolean {
  return body !== null && (body.kind === 'json' || body.kind === 'form');
}

function limitsOf({ operationId, body }: OperationModel, schemas: Schemas) {
  const shape = body?.schemaName ?? null;
  if (shape === null) throw new ContractError(`the body of ${operationId} has no named schema`);
  const bytes = Math.max(
    SMALLEST_LIMIT,
    Math.ceil(bytesOf({ $ref: `#/components/schemas/${shape}` }, schemas) / 1024) * 1024,
  );
  if (bytes > LARGEST_BODY)
    throw new ContractError(
      `the largest body of ${operationId} has ${bytes} bytes: tighten the bounds of ${shape} until it ` +
        `has at most ${LARGEST_BODY}`,
    );
  return { bytes, shape };
}

/**
 * Returns the largest size of a valid value in bytes, with every character escaped. `above` are the enclosing schemas.
 * The size of a schema that holds itself has no end, so it is what its `x-max-bytes` states.
 */
function bytesOf(schema: Schema, schemas: Schemas, above: readonly string[] = []): number {
  const name = schemaName(schema);
  if (name !== null) {
    if (above.includes(name))
      throw new ContractError(`${name} holds itself, so that a body of it has no end without \`x-max-bytes\``);
    return bytesOf(schemas[name] as Schema, schemas, [...above, name]);
  }
  const stated = schema['x-max-bytes'];
  if (stated === undefined) return computedBytes(schema, schemas, above);
  return recursiveWithin(schema, schemas) === null ? Math.min(stated, computedBytes(schema, schemas, above)) : stated;
}

function computedBytes(schema: Schema, schemas: Schemas, above: readonly string[]): number {
  const { properties = {}, additionalProperties, propertyNames, items, allOf = [], oneOf = [], anyOf = [] } = schema;
  const within = (child: Schema) => bytesOf(child, schemas, above);
  const own = schemaTypes(schema).includes('string')
    ? textBytes(most(schema, textOf(schema)), isAscii(schema) ? 6 : 12)
    : NUMBER;
  let bytes = Math.max(own, ...[...oneOf, ...anyOf].map(within));
  for (const part of allOf) bytes += within(part);
  for (const [member, child] of Object.entries(properties))
    bytes += textBytes(member.length, 6) + within(child) + WHITE_SPACE;
  if (items !== undefined) bytes += most(schema, schema.maxItems) * (within(items) + WHITE_SPACE);
  if (typeof additionalProperties === 'object') {
    bytes +=
      most(schema, schema.maxProperties) *
      (textBytes(most(schema, propertyNames?.maxLength), isAscii(propertyNames ?? {}) ? 6 : 12) +
        within(additionalProperties) +
        WHITE_SPACE);
  }
  return bytes;
}

/** RFC 8259 §7: an escape takes six bytes, and a character beyond the basic plane needs two of them. */
function textBytes(characters: number, each: 6 | 12): number {
  return characters * each + 2;
}

const ASCII_FORMATS: ReadonlySet<string | undefined> = new Set(['date', 'date-time', 'uuid', 'ipv4', 'ipv6']);

/** Returns whether the schema certainly allows only ASCII. */
function isAscii({ enum: values, format, pattern }: Schema): boolean {
  return (
    values !== undefined ||
    ASCII_FORMATS.has(format) ||
    (pattern !== undefined &&
      !/[^\x20-\x7e]|\[\^|\\[^.+*?$()[\]{}|/\\-]|\.(?![^[]*\])/.test(pattern.replaceAll('\\.', '')))
  );
}
