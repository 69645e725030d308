/** Makes bodies after a schema, also as later versions may have them. Used by round-trip.test.ts. */
import fc from 'fast-check';
import { dereference, schemaTypes } from '../../../../scripts/contract/contract.ts';
import type { Contract, Schema } from '../../../../scripts/contract/contract.ts';

type Bodies = fc.Arbitrary<unknown>;

const UNKNOWN: Bodies = fc.jsonValue({ maxDepth: 2 });
/** Deeper than this only what ends a schema is made, so that one that contains itself ends. */
const DEEPEST = 6;

/**
 * Bodies after a schema, as a later version of it may allow them: enumerations with values that are unknown today,
 * objects with members that are, and unions with variants that are.
 */
export function bodiesOf(contract: Contract, node: Schema, depth = 0): Bodies {
  const schema = dereference(contract, node);
  const below = (child: Schema): Bodies => bodiesOf(contract, child, depth + 1);
  if (depth > DEEPEST) return UNKNOWN;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined)
    return fc.oneof(fc.constantFrom(...schema.enum), fc.stringMatching(/^invented_[a-z]{1,9}$/));
  if (schema.allOf !== undefined)
    return fc.tuple(...schema.allOf.map(below)).map((parts) => Object.assign({}, ...(parts as object[])) as unknown);
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined)
    return fc.oneof(...variants.map(below), fc.record({ type: fc.constant('invented'), invented: UNKNOWN }));
  const [type = 'object', ...others] = schemaTypes(schema);
  return others.length === 0
    ? ofType(schema, type, below)
    : fc.oneof(...[type, ...others].map((one) => ofType(schema, one, below)));
}

function ofType(schema: Schema, type: string, below: (child: Schema) => Bodies): Bodies {
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.maxSafeInteger();
  if (type === 'number')
    return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value));
  if (type === 'string') return fc.string({ unit: 'binary' });
  if (type === 'array') return fc.array(below(schema.items ?? {}), { maxLength: 3 });
  const declared = Object.entries(schema.properties ?? {});
  const known = fc.record(Object.fromEntries(declared.map(([name, member]) => [name, below(member)])), {
    requiredKeys: [...(schema.required ?? [])],
  });
  const unknown = fc.dictionary(fc.stringMatching(/^(invented|__proto__|constructor|toJSON2)[A-Za-z]{0,5}$/), UNKNOWN, {
    maxKeys: 2,
  });
  return fc.tuple(known, unknown).map(([members, more]) => ({ ...more, ...members }));
}
