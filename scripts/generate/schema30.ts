import { dereference } from './contract.ts';
import type { Contract } from './contract.ts';
import { schemaTypes } from './schema.ts';
import type { Schema } from './schema.ts';

/** A schema in the vocabulary of OpenAPI 3.0.3. */
export type Schema30 = Readonly<Record<string, unknown>>;

/** Keywords that mean the same in both versions and hold no schema. */
const SAME = new Set([
  'title', 'description', 'format', 'enum', 'default', 'example', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf',
  'minItems', 'maxItems', 'uniqueItems', 'required', 'minProperties', 'maxProperties', 'discriminator', 'deprecated',
]);
const OF_NUMBERS = new Set(['format', 'minimum', 'maximum', 'multipleOf']);
const BOUNDS: Readonly<Record<string, ReadonlySet<string>>> = {
  string: new Set(['format', 'pattern', 'minLength', 'maxLength']), number: OF_NUMBERS, integer: OF_NUMBERS,
};

/** JSON has no other; without it, generators take half of the digits. */
const DOUBLE = { format: 'double' };

/** Says in OpenAPI 3.0 what a schema of the house dialect says in 3.1, or throws where 3.0 has no words for it. */
export function schema30(contract: Contract, schema: Schema): Schema30 {
  const { $ref, oneOf, type, ...rest } = schema;
  const inner = (child: Schema): Schema30 => schema30(contract, child);
  if ($ref !== undefined) return reference(contract, $ref, keywords(rest, inner));
  const [named, nothing] = oneOf ?? [];
  if (named?.$ref !== undefined && nothing?.type === 'null') return reference(contract, named.$ref, { ...keywords(rest, inner), nullable: true });
  const types = schemaTypes(schema);
  const kinds = types.filter((kind) => kind !== 'null');
  if (kinds.length > 1) return inner(oneOfEach(schema));
  return {
    ...(kinds[0] !== undefined && { type: kinds[0] }),
    ...(kinds[0] === 'number' && DOUBLE),
    ...(types.includes('null') && { nullable: true }),
    ...keywords(rest, inner),
    ...(oneOf !== undefined && { oneOf: oneOf.map(inner) }),
  };
}

/**
 * In 3.0 nothing may stand beside `$ref`, and `nullable` counts only beside `type`: a scalar is written out where it is used, an
 * object or an enumeration is wrapped in `allOf`, so that it keeps its name. Read to the letter, that `allOf` does not let null
 * through; every generator lets it, and what would do so to the letter (`oneOf` with an enumeration of null) breaks them.
 */
function reference(contract: Contract, $ref: string, beside: Schema30): Schema30 {
  if (Object.keys(beside).length === 0) return { $ref };
  const target = dereference(contract, { $ref });
  const scalar = target.enum === undefined && ['string', 'integer', 'number', 'boolean'].includes(String(target.type));
  return scalar ? { ...schema30(contract, target), ...beside } : { ...(target.type !== undefined && { type: String(target.type) }), allOf: [{ $ref }], ...beside };
}

/** Several types as one alternative for each, with the bounds that concern it; `null` belongs to the first, because one alone may hold. */
export function oneOfEach(schema: Schema): Schema {
  const [first, ...others] = schemaTypes(schema).filter((type) => type !== 'null');
  const alternative = (type: string, types: Schema['type']): Schema => ({ type: types, ...select(schema, (keyword) => BOUNDS[type]?.has(keyword) ?? false) });
  return {
    ...select(schema, (keyword) => keyword !== 'type' && !Object.values(BOUNDS).some((bounds) => bounds.has(keyword))),
    oneOf: [alternative(first!, schemaTypes(schema).includes('null') ? [first!, 'null'] : first), ...others.map((type) => alternative(type, type))],
  };
}

function select(schema: Schema, wanted: (keyword: string) => boolean): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => wanted(keyword)));
}

function keywords(schema: Schema, inner: (child: Schema) => Schema30): Schema30 {
  return Object.fromEntries(Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (SAME.has(keyword)) return [[keyword, value]];
    switch (keyword) {
      case 'const': return [['enum', [value]]];
      case 'examples': return [['example', (value as unknown[])[0]]];
      // 3.0 has no words for the names of members; the extension keeps what the description says to people.
      case 'propertyNames': return [['x-property-names', inner(value as Schema)]];
      case 'items': return [[keyword, inner(value as Schema)]];
      case 'additionalProperties': return [[keyword, typeof value === 'object' ? inner(value as Schema) : value]];
      case 'allOf': case 'anyOf': return [[keyword, (value as Schema[]).map(inner)]];
      case 'properties':
        return [[keyword, Object.fromEntries(Object.entries(value as Record<string, Schema>).map(([name, child]) => [name, inner(child)]))]];
      default:
        if (keyword.startsWith('x-')) return [];
        throw new Error(`OpenAPI 3.0 has no keyword \`${keyword}\`, and nothing says how to write it: extend scripts/generate/schema30.ts.`);
    }
  }));
}
