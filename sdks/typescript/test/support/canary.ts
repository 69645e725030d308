/** Bodies whose every value is a canary. Used by canary.test.ts, which looks for them in logs and errors. */
import { dereference, schemaTypes } from '../../../../scripts/contract/contract.ts';
import type { Contract, Schema } from '../../../../scripts/contract/contract.ts';

/** Stands wherever a person or a caller chooses the value; no number of the protocol contains the other one. */
export const CANARY = 'CANARY';
export const CANARY_NUMBER = 424_242_424_242;

const DEEPEST = 8;

/** A body with every declared member, in which each text and number that is no fixed value is a canary. */
export function canaryOf(contract: Contract, node: Schema, depth = 0): unknown {
  const schema = dereference(contract, node);
  const below = (child: Schema): unknown => canaryOf(contract, child, depth + 1);
  if (schema.const !== undefined) return schema.const;
  // Of an enumeration that is personal data, which of its values it is must not be seen either.
  if (schema.enum !== undefined) return node['x-pii'] || schema['x-pii'] ? CANARY : schema.enum[0];
  if (schema.allOf !== undefined) return Object.assign({}, ...(schema.allOf.map(below) as object[])) as unknown;
  const variant = (schema.oneOf ?? schema.anyOf)?.[0];
  if (variant !== undefined) return below(variant);
  const [type] = schemaTypes(schema);
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return CANARY_NUMBER;
  if (type === 'string') return CANARY;
  if (depth > DEEPEST) return type === 'array' ? [] : {};
  if (type === 'array') return [below(schema.items ?? {})];
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => [name, below(member)]);
  return { ...Object.fromEntries(members), [CANARY]: CANARY };
}
