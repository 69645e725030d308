/**
 * Types of Python for schemas, narrow for reading and wide for arguments. Used by the writers of models and methods.
 */
import { schemaName } from '../../contract/contract.ts';
import type { Schema } from '../../contract/contract.ts';
import { pythonLiteral } from '../code-samples/python.ts';
import type { NamedSchemas } from './named-schemas.ts';

/**
 * How types are written: narrowly in a model, as values are read; widely for an argument, so that a caller need not
 * convert values.
 */
interface Style {
  readonly formats: Readonly<Record<string, string>>;
  readonly wholeNumbers: boolean;
  readonly list: string;
  readonly map: string;
  /** Type of any value. */
  readonly any: string;
  readonly reference: (name: string) => string;
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

function typeOf(schema: Schema, style: Style): string {
  return alternatives(schema, style).join(' | ');
}

/** Returns each type that a value may have, None last. */
function alternatives(schema: Schema, style: Style): string[] {
  const name = schemaName(schema);
  if (name !== null) return [style.reference(name)];
  const distinct = [...new Set(unordered(schema, style))];
  return [...distinct.filter((type) => type !== 'None'), ...distinct.filter((type) => type === 'None')];
}

function unordered(schema: Schema, style: Style): string[] {
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined) return variants.flatMap((variant) => alternatives(variant, style));
  if (schema.enum !== undefined) return [literalType(schema.enum)];
  if (typeof schema.const === 'string') return [literalType([schema.const])];
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return [style.any];
  return (style.wholeNumbers ? withWhole(types) : types).map((type) => ofType(type, schema, style));
}

export function literalType(values: readonly unknown[]): string {
  const literals = values.filter((value) => value !== null).map((value) => pythonLiteral(value, undefined, {}));
  return `Literal[${literals.join(', ')}]${values.includes(null) ? ' | None' : ''}`;
}

/**
 * Adds `int` to `float`: when reading, `float` alone would turn the 5 of a union into 5.0; type checkers accept an int
 * as a float.
 */
function withWhole(types: readonly string[]): readonly string[] {
  return types.length > 1 && !types.includes('integer')
    ? types.flatMap((type) => (type === 'number' ? ['integer', type] : [type]))
    : types;
}

function ofType(type: string, schema: Schema, style: Style): string {
  if (type === 'array') return `${style.list}[${typeOf(schema.items ?? {}, style)}]`;
  if (type === 'object') {
    const { additionalProperties } = schema;
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, style) : style.any;
    return `${style.map}[str, ${value}]`;
  }
  return (type === 'string' ? style.formats[schema.format ?? ''] : undefined) ?? SCALARS[type] ?? style.any;
}

/**
 * Returns the type of a member of a model. Identifiers are `str`: a UUID equals no string and is not JSON. Other
 * formats (`email`, `uri`) are left to the server. `models` is the local name of the module of models.
 */
export function memberType(schema: Schema, models = ''): string {
  return typeOf(schema, {
    formats: { date: 'date', 'date-time': 'AwareDatetime', binary: 'bytes' },
    wholeNumbers: true,
    list: 'list',
    map: 'dict',
    any: 'Any',
    reference: (name) => models + name,
  });
}

/** Names of the package's modules at the place where an argument type is written. */
export interface Naming {
  readonly named: NamedSchemas;
  /** Schemas with a model class. */
  readonly models: ReadonlySet<string>;
  /** Prefix of argument types: `params.` in a resource, empty within `params` itself. */
  readonly params: string;
}

export function argumentType(schema: Schema, naming: Naming): string {
  return typeOf(schema, {
    formats: {
      date: 'date | str',
      'date-time': 'datetime | str',
      uuid: 'UUID | str',
      binary: 'FileInput',
    },
    wholeNumbers: false,
    list: 'Sequence',
    map: 'Mapping',
    any: 'object',
    reference: (name) => named(name, naming),
  });
}

/**
 * Returns the type of a named schema: the alias of an enumeration includes its class; an object is accepted as a model
 * or as a dictionary.
 */
function named(name: string, { named: schemas, models, params }: Naming): string {
  const schema = schemas.get(name);
  if (schema === undefined) throw new Error(`${name} has no Python type`);
  if (schema.enum !== undefined || !models.has(name)) return `${params}${name}`;
  return `models.${name} | ${params}${name}`;
}
