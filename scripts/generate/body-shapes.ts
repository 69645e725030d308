/**
 * Computes what a body may contain at each place. Used by body-limits.ts. Shapes are upper bounds: too small a bound
 * would refuse valid bodies.
 */
import { schemaName, schemaTypes } from '../contract/contract.ts';
import type { Schema } from '../contract/contract.ts';
import { ContractError } from '../contract/read.ts';

/** What a body may contain at one place. A string refers to the shape of that name. */
type Place = Shape | string;
export interface Shape {
  readonly text?: number;
  readonly items?: number;
  readonly entries?: number;
  readonly each?: Place;
  readonly members?: Readonly<Record<string, Place>>;
  /** Most bytes of the text of an object (`x-max-bytes`). */
  readonly bytes?: number;
}

/** A schema, apart from what it takes from others, and the most bytes that an object has which it describes. */
interface Part {
  readonly own: Schema;
  readonly bytes: number | undefined;
}

/**
 * Shapes that bodies reach, most of them by the names of their schemas. The shape of a place is an upper bound:
 * everything that any branch of a union, or any part of a whole, allows. It is computed from the set of those parts.
 * The number of sets is finite, so schemas that hold themselves come to an end: a set that is met within itself gets a
 * name and is referred to.
 */
export class Shapes {
  readonly found: Record<string, Shape> = {};
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #numbers = new Map<Schema, number>();
  readonly #names = new Map<string, string>();
  /** Sets of parts whose shapes are being computed, and have no name. */
  readonly #unnamed = new Set<string>();

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas;
    for (const [name, { properties, allOf }] of Object.entries(schemas))
      if (properties !== undefined || allOf !== undefined) this.#name(this.#key(this.#partsOf(named(name))), name);
  }

  add(name: string): void {
    const parts = this.#partsOf(named(name));
    this.#name(this.#key(parts), name);
    this.#complete(name, parts);
  }

  /** Returns what a place may contain that any of these schemas describes. */
  #place(schemas: readonly Schema[]): Place {
    const parts = schemas.flatMap((schema) => this.#partsOf(schema));
    const key = this.#key(parts);
    const name = this.#names.get(key);
    if (name !== undefined) return this.#complete(name, parts);
    if (this.#unnamed.has(key)) return this.#name(key, `cycle ${this.#names.size}`);
    this.#unnamed.add(key);
    const shape = this.#shapeOf(parts);
    this.#unnamed.delete(key);
    const cycle = this.#names.get(key);
    if (cycle === undefined) return shape;
    this.found[cycle] = shape;
    return cycle;
  }

  #complete(name: string, parts: readonly Part[]): string {
    if (name in this.found || this.#isCycleBeingComputed(parts)) return name;
    this.found[name] = {};
    this.found[name] = this.#shapeOf(parts);
    return name;
  }

  /** Returns whether the shape is due at the place where the set of parts was met first. */
  #isCycleBeingComputed(parts: readonly Part[]): boolean {
    return this.#unnamed.has(this.#key(parts));
  }

  #shapeOf(parts: readonly Part[]): Shape {
    const texts = parts.filter(({ own }) => schemaTypes(own).includes('string'));
    const lists = parts.flatMap(({ own }) => own.items ?? []);
    const values = parts.flatMap(({ own }) => valuesOf(own) ?? []);
    const objects = parts.filter(({ own }) => own.properties !== undefined || valuesOf(own) !== undefined);
    const members = Map.groupBy(
      objects.flatMap(({ own }) => Object.entries(own.properties ?? {})),
      ([name]) => name,
    );
    const bytes = agreed(objects);
    return {
      ...(texts.length > 0 && { text: largest(texts, ({ own }) => most(own, textOf(own))) }),
      ...(lists.length > 0 && {
        items: largest(parts, ({ own }) => (own.items === undefined ? 0 : most(own, own.maxItems))),
      }),
      ...(values.length > 0 && {
        entries: largest(parts, ({ own }) => (valuesOf(own) === undefined ? 0 : most(own, own.maxProperties))),
      }),
      ...(lists.length + values.length > 0 && { each: this.#place([...lists, ...values]) }),
      ...(objects.some(({ own }) => own.properties !== undefined) && {
        members: Object.fromEntries(
          [...members].map(([name, all]) => [name, this.#place(all.map(([, schema]) => schema))]),
        ),
      }),
      ...(bytes !== undefined && { bytes }),
    };
  }

  /** Returns the schema itself, its target, and the parts and branches of both. `above` ends what refers to itself. */
  #partsOf(schema: Schema, around?: number, above: readonly Schema[] = []): Part[] {
    const name = schemaName(schema);
    const target = name === null ? schema : (this.#schemas[name] as Schema);
    if (above.includes(target)) return [];
    const { allOf = [], oneOf = [], anyOf = [] } = target;
    const bytes = least([around, this.#bytesOf(target)]);
    if (name !== null) return this.#partsOf(target, bytes, above);
    return [
      ...(isAScalarWithoutText(target) ? [] : [{ own: target, bytes }]),
      ...[...allOf, ...oneOf, ...anyOf].flatMap((part) => this.#partsOf(part, bytes, [...above, target])),
    ];
  }

  /** Returns the most bytes of an object, to which all parts of a whole contribute. */
  #bytesOf({ 'x-max-bytes': own, allOf = [] }: Schema, above: readonly string[] = []): number | undefined {
    return least([
      own,
      ...allOf.map((part) => {
        const name = schemaName(part);
        if (name === null) return this.#bytesOf(part, above);
        return above.includes(name) ? undefined : this.#bytesOf(this.#schemas[name] as Schema, [...above, name]);
      }),
    ]);
  }

  #name(key: string, name: string): string {
    if (!this.#names.has(key)) this.#names.set(key, name);
    return name;
  }

  #key(parts: readonly Part[]): string {
    const keys = parts.map(({ own, bytes }) => {
      const number = this.#numbers.get(own) ?? this.#numbers.size;
      this.#numbers.set(own, number);
      return `${number} ${bytes}`;
    });
    return [...new Set(keys)].sort().join();
  }
}

/** Returns the most bytes of an object. Nothing else than the reader judges it, so that all variants must agree. */
function agreed(objects: readonly Part[]): number | undefined {
  const [bytes, ...others] = new Set(objects.map((part) => part.bytes));
  if (others.length > 0)
    throw new ContractError(
      'objects that may be at the same place differ in their `x-max-bytes`: ' +
        JSON.stringify(objects.map(({ own }) => own)).slice(0, 200),
    );
  return bytes;
}

export function textOf(schema: Schema): number | undefined {
  if (schema.enum !== undefined) return Math.max(...schema.enum.map((value) => String(value).length));
  return schema.const === undefined ? schema.maxLength : String(schema.const).length;
}

export function most(schema: Schema, bound: number | undefined): number {
  if (bound === undefined)
    throw new ContractError(`a request schema has no bound: ${JSON.stringify(schema).slice(0, 200)}`);
  return bound;
}

function largest(parts: readonly Part[], of: (part: Part) => number): number {
  return Math.max(...parts.map(of));
}

function least(bounds: readonly (number | undefined)[]): number | undefined {
  const known = bounds.filter((bound) => bound !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function isAScalarWithoutText(schema: Schema): boolean {
  return (
    !schemaTypes(schema).includes('string') &&
    schema.items === undefined &&
    schema.properties === undefined &&
    valuesOf(schema) === undefined
  );
}

function valuesOf({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

function named(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
