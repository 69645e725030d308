import type { Contract } from '../contract.ts';
import type { Schema } from '../schema.ts';

/** The compiler narrows a union only by literals, so one stands for every tag that is not known; an answer never holds it. */
const UNKNOWN_TAG = '(unknown to this version)';

/**
 * The contract with a last variant in every union, for what a later version of the API may add: comparing the tag with a known
 * value narrows to that variant alone, and whoever handles all known ones is told by the compiler that there may be others.
 */
export function withOpenUnions(contract: Contract): Contract {
  const schemas = Object.entries(contract.components.schemas ?? {}).flatMap(([name, schema]) => (isUnion(schema) ? opened(name, schema) : [[name, schema] as const]));
  return { ...contract, components: { ...contract.components, schemas: Object.fromEntries(schemas) } };
}

function isUnion(schema: Schema): boolean {
  return schema.discriminator !== undefined && schema.oneOf !== undefined;
}

function opened(name: string, { discriminator, oneOf = [], ...schema }: Schema): (readonly [string, Schema])[] {
  const tag = discriminator?.propertyName ?? '';
  const unknown = `Unknown${name}`;
  return [
    // The variants require their tags as constants; the discriminator would add the name of the unknown one as its tag.
    [name, { ...schema, oneOf: [...oneOf, { $ref: `#/components/schemas/${unknown}` }] }],
    [unknown, {
      description: `A variant that a later version of the API adds. Its \`${tag}\` is whatever the answer says: the type only stands for it.`,
      type: 'object', required: [tag], additionalProperties: true, properties: { [tag]: { type: 'string', const: UNKNOWN_TAG } },
    }],
  ];
}
