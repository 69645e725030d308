import type { Schema } from '../schema.ts';
import { schemaName } from '../schema.ts';
import { nullableVariant } from './named-schemas.ts';
import type { NamedSchemas } from './named-schemas.ts';

/** Where a type is written: it decides how the modules of the package are called there. */
export interface Naming {
  readonly named: NamedSchemas;
  /** Schemas that have a model class. */
  readonly models: ReadonlySet<string>;
  /** How the argument types are reached: `params.` in a resource, nothing within `params.py` itself. */
  readonly params: string;
}

const SCALARS: Readonly<Record<string, string>> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };
const FORMATS: Readonly<Record<string, string>> = { date: 'date | str', 'date-time': 'datetime | str', uuid: 'UUID | str', binary: 'FileInput' };

/** The Python type of an argument: wide in what it takes, so that a caller needs no conversion of its own. */
export function argumentType(schema: Schema, naming: Naming): string {
  const name = schemaName(schema);
  if (name !== null) return named(name, naming);
  const nullable = nullableVariant(schema);
  if (nullable !== null) return `${argumentType(nullable, naming)} | None`;
  if (schema.enum !== undefined) return literalType(schema.enum);
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return 'object';
  const one = [...new Set(types.map((type) => ofType(type, schema, naming)))];
  // In Python, int is accepted where float is asked for.
  return [...one.filter((type) => type !== 'None'), ...one.filter((type) => type === 'None')].join(' | ');
}

export function literalType(values: readonly unknown[]): string {
  return `Literal[${values.map((value) => (value === null ? 'None' : JSON.stringify(value))).join(', ')}]`;
}

function named(name: string, { named: schemas, models, params }: Naming): string {
  const schema = schemas.get(name);
  if (schema === undefined) throw new Error(`${name} has no Python type`);
  // The alias of an enumeration includes its class; an object is taken as a model or as a dictionary.
  if (schema.enum !== undefined || !models.has(name)) return `${params}${name}`;
  return `models.${name} | ${params}${name}`;
}

function ofType(type: string, schema: Schema, naming: Naming): string {
  if (type === 'array') return `Sequence[${argumentType(schema.items ?? {}, naming)}]`;
  if (type === 'object') {
    const { additionalProperties } = schema;
    return `Mapping[str, ${typeof additionalProperties === 'object' ? argumentType(additionalProperties, naming) : 'object'}]`;
  }
  return (type === 'string' ? FORMATS[schema.format ?? ''] : undefined) ?? SCALARS[type] ?? 'object';
}
