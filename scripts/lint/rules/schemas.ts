/** Lint rules about schemas. Used by the list of rules. They forbid what generators or validators read differently. */
import { dereference, schemaName, schemaTypes } from '../../contract/contract.ts';
import type { Schema } from '../../contract/contract.ts';
import { mediaSites, schemaSites, schemasReached } from '../../contract/walk.ts';
import type { Pointer } from '../../contract/walk.ts';
import type { Rule } from '../rule.ts';

/** Every object is a named component, because generators name types after it and a diff is easier to read. */
const schemasNamed: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    const isObject =
      schemaTypes(schema).includes('object') || schema.properties !== undefined || schema.allOf !== undefined;
    const named = pointer.length === 3 && pointer[1] === 'schemas';
    const part = pointer.length === 5 && pointer[1] === 'schemas' && pointer[3] === 'allOf';
    if (isObject && !named && !part) report(pointer, 'Move this object to `components/schemas` and give it a name.');
  }
};

/** Named schemas and their members have descriptions; a reference is described by its target. */
const schemaDescriptions: Rule = (contract, report) => {
  for (const [name, schema] of Object.entries(contract.components.schemas ?? {})) {
    const pointer = ['components', 'schemas', name];
    if ((schema.description ?? '') === '') report(pointer, `Describe \`${name}\`.`);
    for (const [member, property] of Object.entries(schema.properties ?? {})) {
      const explained =
        property.$ref !== undefined || property.oneOf !== undefined || (property.description ?? '') !== '';
      if (!explained) report([...pointer, 'properties', member], `Describe \`${member}\`.`);
    }
  }
};

/** Names that an RFC fixes in snake_case (RFC 6749 sections 4.4, 5.1 and 5.2). */
const FIXED = new Set([
  'grant_type',
  'client_id',
  'client_secret',
  'access_token',
  'token_type',
  'expires_in',
  'error_description',
]);

/**
 * Members are camelCase, and neither read-only nor write-only, because requests and responses have separate schemas.
 */
const memberNames: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const place = [...pointer, 'properties', name];
      if (!/^[a-z][a-zA-Z0-9]*$/.test(name) && !FIXED.has(name)) report(place, `Write \`${name}\` in camelCase.`);
      if ('readOnly' in member || 'writeOnly' in member)
        report(place, 'Write separate schemas for what is sent and what is returned.');
    }
  }
};

/**
 * A mistyped member must be refused, not ignored. RFC 6749 section 3.2 demands the opposite of the token endpoint, so
 * its form-encoded bodies are exempt.
 */
const requestsClosed: Rule = (contract, report) => {
  for (const { schema, pointer } of schemasReached(contract, 'request')) {
    if (pointer.at(-1) === 'TokenRequest') continue;
    const part = pointer.at(-2) === 'allOf';
    const open = schema.additionalProperties === undefined && schema.unevaluatedProperties === undefined;
    if ((schema.properties !== undefined || schema.allOf !== undefined) && open && !part) {
      report(
        pointer,
        'Close this request schema: `additionalProperties: false`, or `unevaluatedProperties: false` beside `allOf`.',
      );
    }
  }
};

/** Values may be added to the enumerations of responses, which clients must know from the start. */
const responseEnumsOpen: Rule = (contract, report) => {
  for (const { schema, pointer } of schemasReached(contract, 'response')) {
    if (schema.enum !== undefined && schema['x-enum-open'] !== true)
      report(pointer, 'Mark this enumeration of a response `x-enum-open: true`.');
  }
};

const SIBLINGS = new Set([
  'allOf',
  'title',
  'description',
  'unevaluatedProperties',
  'example',
  'examples',
  'deprecated',
]);

/** The validator and the generators read `allOf` beside `properties` or `required` differently. */
const allOfAlone: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    if (schema.allOf === undefined) continue;
    const others = Object.keys(schema).filter((keyword) => !SIBLINGS.has(keyword) && !keyword.startsWith('x-'));
    if (others.length > 0)
      report(pointer, `Move ${others.map((keyword) => `\`${keyword}\``).join(', ')} into a member of \`allOf\`.`);
    for (const [index, member] of schema.allOf.entries()) {
      if (member.additionalProperties === false)
        report(
          [...pointer, 'allOf', index],
          'A closed member refuses what its neighbours declare; close the whole with `unevaluatedProperties: false`.',
        );
    }
  }
};

/** There is one way to write null: `type: [T, 'null']` for scalars, `oneOf: [$ref, {type: 'null'}]` for references. */
const nullableStyle: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    if ('nullable' in schema) report(pointer, '`nullable` is not a keyword of OpenAPI 3.1.');
    const types = schemaTypes(schema);
    if (types.length > 1 && types.includes('null') && types.some((type) => type === 'object' || type === 'array')) {
      report(pointer, 'Name the object or array and write `oneOf: [$ref, {type: "null"}]`.');
    }
    if (schema.anyOf?.some((member) => member.type === 'null'))
      report(pointer, 'Write `oneOf` instead of `anyOf` for a nullable reference.');
    const scalar =
      schema.oneOf?.length === 2 &&
      schema.oneOf.some((member) => member.type === 'null') &&
      schema.oneOf.every((member) => member.$ref === undefined);
    if (scalar === true) report(pointer, 'Write `type: [T, "null"]` for a nullable scalar.');
  }
};

/** A union of objects names its tag, maps every variant, and each variant requires the tag as a `const`. */
const unionsTagged: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    const variants = (schema.oneOf ?? []).map((member) => schemaName(member)).filter((name) => name !== null);
    if (variants.length < 2) continue;
    const tag = schema.discriminator?.propertyName;
    if (tag === undefined) {
      report(pointer, 'Give this union a `discriminator`.');
      continue;
    }
    const mapped = new Set(Object.values(schema.discriminator?.mapping ?? {}));
    for (const name of variants) {
      if (!mapped.has(`#/components/schemas/${name}`))
        report(pointer, `\`${name}\` is missing in \`discriminator.mapping\`.`);
      const variant = contract.components.schemas?.[name];
      if (variant?.properties?.[tag]?.const === undefined || variant.required?.includes(tag) !== true) {
        report(['components', 'schemas', name], `Require \`${tag}\` with a \`const\`, as the union demands.`);
      }
    }
  }
};

/**
 * RFC 7396: a patch names the members that it changes, also in nested objects. Lists are replaced as a whole, so their
 * items are complete.
 */
const mergePatches: Rule = (contract, report) => {
  const seen = new Set<string>();
  const look = (schema: Schema): void => {
    const name = schemaName(schema);
    if (name !== null && seen.has(name)) return;
    if (name !== null) seen.add(name);
    const { required = [], properties = {}, oneOf = [] } = dereference(contract, schema);
    if (required.length > 0 && name !== null) {
      report(
        ['components', 'schemas', name],
        'A merge patch may name some members of an object only: refer to a schema with `x-merge-patch-of: ' +
          `${name}\`, which \`make format\` fills in.`,
      );
    }
    for (const below of [...Object.values(properties), ...oneOf]) look(below);
  };
  for (const {
    type,
    media: { schema },
  } of mediaSites(contract))
    if (type === 'application/merge-patch+json' && schema !== undefined) look(schema);
};

/** OpenAPI silently ignores everything beside `$ref` in a parameter, body, response, header or example. */
const referenceAlone: Rule = (contract, report) => {
  walk(contract, [], (node, pointer) => {
    const reference = node['$ref'];
    if (typeof reference !== 'string') return;
    if (!reference.startsWith('#/')) report(pointer, 'The contract is one file; refer to its own components.');
    if (!reference.startsWith('#/components/schemas/') && Object.keys(node).length > 1)
      report(pointer, 'Nothing may stand beside this `$ref`.');
  });
};

function walk(node: unknown, pointer: Pointer, visit: (node: Record<string, unknown>, pointer: Pointer) => void): void {
  if (typeof node !== 'object' || node === null || pointer.at(-1) === 'example' || pointer.at(-1) === 'value') return;
  if (!Array.isArray(node)) visit(node as Record<string, unknown>, pointer);
  for (const [key, child] of Object.entries(node))
    walk(child, [...pointer, Array.isArray(node) ? Number(key) : key], visit);
}

export const schemas: Readonly<Record<string, Rule>> = {
  'all-of-alone': allOfAlone,
  'member-names': memberNames,
  'merge-patches': mergePatches,
  'nullable-style': nullableStyle,
  'reference-alone': referenceAlone,
  'requests-closed': requestsClosed,
  'response-enums-open': responseEnumsOpen,
  'schema-descriptions': schemaDescriptions,
  'schemas-named': schemasNamed,
  'unions-tagged': unionsTagged,
};
