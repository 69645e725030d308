import { schemaName } from '../../contract/contract.ts';
import type { Schema } from '../../contract/contract.ts';
import { pythonLiteral } from '../code-samples/python.ts';
import type { NamedSchemas } from './named-schemas.ts';

/** How a place writes types: a model narrowly, as values are read; an argument widely, so that a caller needs no conversion of its own. */
interface Style {
  readonly formats: Readonly<Record<string, string>>;
  readonly wholeNumbers: boolean;
  readonly list: string;
  readonly map: string;
  /** The type of anything. */
  readonly any: string;
  readonly reference: (name: string) => string;
}

const SCALARS: Readonly<Record<string, string>> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };

function typeOf(schema: Schema, style: Style): string {
  return alternatives(schema, style).join(' | ');
}

/** Each type that a value may have, None at the end. */
function alternatives(schema: Schema, style: Style): string[] {
  const name = schemaName(schema);
  if (name !== null) return [style.reference(name)];
  const variants = schema.oneOf ?? schema.anyOf;
  const types = [schema.type ?? []].flat();
  const found = variants !== undefined ? variants.flatMap((variant) => alternatives(variant, style))
    : schema.enum !== undefined ? [literalType(schema.enum)]
    : typeof schema.const === 'string' ? [literalType([schema.const])]
    : types.length === 0 ? [style.any]
    : (style.wholeNumbers ? withWhole(types) : types).map((type) => ofType(type, schema, style));
  const distinct = [...new Set(found)];
  return [...distinct.filter((type) => type !== 'None'), ...distinct.filter((type) => type === 'None')];
}

export function literalType(values: readonly unknown[]): string {
  const literals = values.filter((value) => value !== null).map((value) => pythonLiteral(value, undefined, {}));
  return `Literal[${literals.join(', ')}]${values.includes(null) ? ' | None' : ''}`;
}

/** Reading, `float` alone would turn the 5 of a union into 5.0; type checkers take an int for a float. */
function withWhole(types: readonly string[]): readonly string[] {
  return types.length > 1 && !types.includes('integer') ? types.flatMap((type) => (type === 'number' ? ['integer', type] : [type])) : types;
}

function ofType(type: string, schema: Schema, style: Style): string {
  if (type === 'array') return `${style.list}[${typeOf(schema.items ?? {}, style)}]`;
  if (type === 'object') {
    const { additionalProperties } = schema;
    return `${style.map}[str, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, style) : style.any}]`;
  }
  return (type === 'string' ? style.formats[schema.format ?? ''] : undefined) ?? SCALARS[type] ?? style.any;
}

/**
 * The type of a member of a model. Identifiers are text: a UUID compares with no string and does not fit into JSON.
 * Other formats (`email`, `uri`) are the server's to judge. `models` is how the module of models is called where this is written.
 */
export function memberType(schema: Schema, models = ''): string {
  return typeOf(schema, {
    formats: { date: 'date', 'date-time': 'AwareDatetime', binary: 'bytes' }, wholeNumbers: true, list: 'list', map: 'dict', any: 'Any', reference: (name) => models + name,
  });
}

/** Where a type of an argument is written: it decides how the modules of the package are called there. */
export interface Naming {
  readonly named: NamedSchemas;
  /** Schemas that have a model class. */
  readonly models: ReadonlySet<string>;
  /** How the argument types are reached: `params.` in a resource, nothing within `params` itself. */
  readonly params: string;
}

export function argumentType(schema: Schema, naming: Naming): string {
  return typeOf(schema, {
    formats: { date: 'date | str', 'date-time': 'datetime | str', uuid: 'UUID | str', binary: 'FileInput' },
    wholeNumbers: false, list: 'Sequence', map: 'Mapping', any: 'object', reference: (name) => named(name, naming),
  });
}

/** The alias of an enumeration includes its class; an object is taken as a model or as a dictionary. */
function named(name: string, { named: schemas, models, params }: Naming): string {
  const schema = schemas.get(name);
  if (schema === undefined) throw new Error(`${name} has no Python type`);
  if (schema.enum !== undefined || !models.has(name)) return `${params}${name}`;
  return `models.${name} | ${params}${name}`;
}
