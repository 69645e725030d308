/**
 * Lint rules about limits of arrays, numbers, maps and texts. Used by the list of rules. Without a limit a hostile body
 * could cost anything.
 */
import { schemaTypes } from '../../contract/contract.ts';
import type { Schema } from '../../contract/contract.ts';
import { recursiveWithin } from '../../contract/recursion.ts';
import { mediaSites, schemaSites, schemasReached } from '../../contract/walk.ts';
import type { Rule } from '../rule.ts';

/** Every array has a largest number of items. */
const arrayBounds: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    if (!schemaTypes(schema).includes('array')) continue;
    if (schema.maxItems === undefined) report(pointer, 'Give this array a `maxItems`.');
    if (schema.items === undefined) report(pointer, 'Say what the items are.');
  }
};

/** Every number has a range, without values that JavaScript would round. */
const numberBounds: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    const type = schemaTypes(schema).find((one) => one === 'integer' || one === 'number');
    if (type === undefined || schema.enum !== undefined || schema.const !== undefined) continue;
    if (schema.minimum === undefined || schema.maximum === undefined)
      report(pointer, `Give this ${type} a \`minimum\` and a \`maximum\`.`);
    if (Math.max(Math.abs(schema.minimum ?? 0), Math.abs(schema.maximum ?? 0)) > Number.MAX_SAFE_INTEGER) {
      report(pointer, 'Integers beyond 2^53 - 1 are rounded by JSON parsers; use a string.');
    }
  }
};

/** A map has a largest number of entries and a longest name; no part of a request is unbounded. */
const objectBounds: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    if (schema.additionalProperties === undefined || schema.additionalProperties === false) continue;
    if (schema.maxProperties === undefined) report(pointer, 'Give this map a `maxProperties`.');
    if (schema.propertyNames?.maxLength === undefined)
      report(pointer, 'Give the names of this map a `maxLength`, in `propertyNames`.');
  }
  for (const { schema, pointer } of schemasReached(contract, 'request')) {
    if (pointer.at(-1) === 'propertyNames') continue;
    if (schema.additionalProperties === true || isAnything(schema))
      report(pointer, 'Say what stands here: a request has bounds everywhere.');
  }
};

function isAnything(schema: Schema): boolean {
  const { enum: values, const: value, properties, allOf, oneOf, anyOf, additionalProperties } = schema;
  if ([values, value, properties, allOf, oneOf, anyOf].some((keyword) => keyword !== undefined)) return false;
  const types = schemaTypes(schema);
  return types.length === 0 || (types.includes('object') && additionalProperties === undefined);
}

/** A schema of a request that holds itself has no end, unless an object around it has a largest text. */
const maxBytes: Rule = (contract, report) => {
  const isMeasured = (schema: Schema) => schema['x-max-bytes'] !== undefined;
  const reached = new Set(schemasReached(contract, 'request').map(({ schema }) => schema));
  for (const { schema, pointer } of schemaSites(contract).filter((site) => isMeasured(site.schema))) {
    if (schema.type !== 'object') report(pointer, '`x-max-bytes` is for objects: give this schema `type: object`.');
    else if (!reached.has(schema)) report(pointer, '`x-max-bytes` is for requests, and none holds this object.');
  }
  const endless = mediaSites(contract).flatMap(({ direction, media: { schema } }) =>
    direction === 'response' || schema === undefined
      ? []
      : (recursiveWithin(schema, contract.components.schemas ?? {}, isMeasured) ?? []),
  );
  for (const name of new Set(endless))
    report(
      ['components', 'schemas', name],
      `\`${name}\` holds itself: give it, or every object around it, an \`x-max-bytes\`.`,
    );
};

/** Every string has a longest length, except an enum, a constant and bytes, which are bounded otherwise. */
const stringBounds: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    const bounded =
      schema.maxLength !== undefined ||
      schema.enum !== undefined ||
      schema.const !== undefined ||
      schema.format === 'binary';
    if (schemaTypes(schema).includes('string') && !bounded) report(pointer, 'Give this string a `maxLength`.');
    if (schema.pattern !== undefined && !/^\^.*\$$/s.test(schema.pattern))
      report(pointer, 'Anchor the pattern: `^…$`.');
  }
};

export const bounds: Readonly<Record<string, Rule>> = {
  'array-bounds': arrayBounds,
  'number-bounds': numberBounds,
  'max-bytes': maxBytes,
  'object-bounds': objectBounds,
  'string-bounds': stringBounds,
};
