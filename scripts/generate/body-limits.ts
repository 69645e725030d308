import { generatedBy, literal } from './source-text.ts';
import type { ApiModel, OperationModel } from './model.ts';
import { schemaName, schemaTypes } from '../contract/contract.ts';
import { ContractError } from '../contract/read.ts';
import type { Schema } from '../contract/contract.ts';

type Schemas = Readonly<Record<string, Schema>>;

/** What a body may contain at one place. A string refers to the shape of the schema of that name. */
type Place = Shape | string;
interface Shape {
  readonly text?: number;
  readonly items?: number;
  readonly each?: Place;
  readonly members?: Readonly<Record<string, Place>>;
  readonly entries?: number;
}

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
  readonly shapes: Readonly<Record<string, Place>>;
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
    '/** The longest text, the most items and entries, and the members at each place; names stand for other shapes. */',
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
 */
function bytesOf(schema: Schema, schemas: Schemas, above: readonly string[] = []): number {
  const name = schemaName(schema);
  if (name !== null) {
    if (above.includes(name)) throw new ContractError(`${name} holds itself, so that a body of it has no end`);
    return bytesOf(schemas[name] as Schema, schemas, [...above, name]);
  }
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

function textOf(schema: Schema): number | undefined {
  if (schema.enum !== undefined) return Math.max(...schema.enum.map((value) => String(value).length));
  return schema.const === undefined ? schema.maxLength : String(schema.const).length;
}

function most(schema: Schema, bound: number | undefined): number {
  if (bound === undefined)
    throw new ContractError(`a request schema has no bound: ${JSON.stringify(schema).slice(0, 200)}`);
  return bound;
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

/** Shapes that bodies reach, by the names of their schemas. */
class Shapes {
  readonly found: Record<string, Place> = {};
  readonly #schemas: Schemas;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  add(name: string): void {
    if (name in this.found) return;
    this.found[name] = {};
    this.found[name] = this.#shapeOf(this.#schemas[name] as Schema);
  }

  #place(schema: Schema): Place {
    const name = schemaName(schema);
    if (name === null) return this.#shapeOf(schema);
    const target = this.#schemas[name] as Schema;
    if (target.properties === undefined && target.allOf === undefined) return this.#place(target);
    this.add(name);
    return name;
  }

  /** Returns an upper bound: everything that any branch of a union, or any part of a whole, allows. */
  #shapeOf(schema: Schema): Place {
    const own: Shape = {
      ...(schemaTypes(schema).includes('string') && { text: most(schema, textOf(schema)) }),
      ...(schema.items !== undefined && { items: most(schema, schema.maxItems), each: this.#place(schema.items) }),
      ...(schema.properties !== undefined && {
        members: Object.fromEntries(
          Object.entries(schema.properties).map(([member, child]) => [member, this.#place(child)]),
        ),
      }),
      ...(typeof schema.additionalProperties === 'object' && {
        entries: most(schema, schema.maxProperties),
        each: this.#place(schema.additionalProperties),
      }),
    };
    return [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].reduce<Place>(
      (all, part) => this.#either(all, this.#place(part)),
      own,
    );
  }

  #either(a: Place, b: Place): Place {
    const [one, two] = [this.#named(a), this.#named(b)];
    if (Object.keys(one).length === 0) return b;
    if (Object.keys(two).length === 0) return a;
    const largest = (key: 'text' | 'items' | 'entries') =>
      (one[key] ?? two[key]) === undefined ? {} : { [key]: Math.max(one[key] ?? 0, two[key] ?? 0) };
    const members = { ...one.members };
    for (const [member, place] of Object.entries(two.members ?? {}))
      members[member] = this.#either(members[member] ?? {}, place);
    return {
      ...largest('text'),
      ...largest('items'),
      ...largest('entries'),
      ...((one.each ?? two.each) !== undefined && { each: this.#either(one.each ?? {}, two.each ?? {}) }),
      ...((one.members ?? two.members) !== undefined && { members }),
    };
  }

  #named(place: Place): Shape {
    return typeof place === 'string' ? this.#named(this.found[place] as Place) : place;
  }
}
