/** Writes the schema with which editors complete the contract. Used by the pipeline. It helps writing; lint decides. */
import type { Contract } from '../contract/contract.ts';
import { METHODS } from '../contract/contract.ts';
import { members, namesOn } from '../contract/dialect.ts';
import type { MemberOwner } from '../contract/member.ts';
import { generatedBy } from './source-text.ts';

/** Public address of the schema of OpenAPI 3.1; editors fetch the parts that are referred to. */
const OPENAPI = 'https://spec.openapis.org/oas/3.1/schema/2022-10-07';

type Json = boolean | { readonly [keyword: string]: unknown };

/**
 * Returns `docs/editor.schema.json`, with which an editor completes and checks openapi.yaml during writing. It
 * describes operations, parameters and schemas, with the members of the dialect, the short forms of `make format` and
 * the names in this contract; the rest is left to the schema of OpenAPI. It uses draft 7 of JSON Schema, which editors
 * support.
 */
export function editorSchema(contract: Contract): string {
  const { schemas = {}, securitySchemes = {} } = contract.components;
  const scopes = Object.values(securitySchemes).flatMap((scheme) =>
    Object.values(scheme.flows ?? {}).flatMap((flow) => Object.keys(flow.scopes)),
  );
  const problems = Object.keys(
    (schemas['ProblemCode'] as { readonly 'x-problems'?: object } | undefined)?.['x-problems'] ?? {},
  );
  return `${JSON.stringify(
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $comment: generatedBy('scripts/generate.ts'),
      title: 'A contract in the dialect of this repository',
      ...object(
        {
          openapi: { type: 'string' },
          info: openapi('info'),
          servers: list(openapi('server')),
          tags: list(openapi('tag')),
          security: { type: 'array' },
          paths: map(own('path')),
          components: {
            type: 'object',
            properties: {
              schemas: map(own('schema')),
              parameters: map(own('parameter')),
              securitySchemes: map(openapi('security-scheme-or-reference')),
              headers: map(openapi('header-or-reference')),
              responses: map(openapi('response-or-reference')),
              examples: map(openapi('example-or-reference')),
              requestBodies: map(openapi('request-body-or-reference')),
              links: map(openapi('link-or-reference')),
            },
          },
        },
        ['openapi', 'info', 'paths'],
      ),
      definitions: {
        path: object({
          summary: { type: 'string' },
          description: { type: 'string' },
          parameters: list(own('parameter')),
          ...Object.fromEntries(METHODS.map((method) => [method, own('operation')])),
        }),
        operation: operation(contract, scopes),
        schemaName: { enum: Object.keys(schemas) },
        codes: {
          description: 'Problem codes, written out as a response by `make format`.',
          ...list({ enum: problems }),
        },
        parameter: object({
          $ref: { type: 'string' },
          name: { type: 'string' },
          in: { enum: ['path', 'query', 'header', 'cookie'] },
          required: { type: 'boolean' },
          description: { type: 'string' },
          schema: own('schema'),
          example: true,
          examples: { type: 'object' },
          style: { type: 'string' },
          explode: { type: 'boolean' },
          allowEmptyValue: { type: 'boolean' },
          deprecated: { type: 'boolean' },
          ...extensions('parameter'),
        }),
        schema: schemaObject(),
      },
    },
    null,
    1,
  )}\n`;
}

function operation(contract: Contract, scopes: readonly string[]): Json {
  return object(
    {
      operationId: { type: 'string', pattern: '^[a-z][a-zA-Z0-9]*$' },
      summary: { type: 'string' },
      description: { type: 'string' },
      tags: { ...list({ enum: (contract.tags ?? []).map(({ name }) => name) }), minItems: 1, maxItems: 1 },
      deprecated: { const: true },
      security: {
        anyOf: [
          { enum: scopes, description: 'A scope for short: every credential that has it.' },
          list({ type: 'object' }),
        ],
      },
      ...extensions('operation'),
      parameters: list(own('parameter')),
      requestBody: { anyOf: [own('schemaName'), openapi('request-body-or-reference')] },
      responses: {
        type: 'object',
        patternProperties: {
          '^2\\d\\d$': { anyOf: [own('schemaName'), openapi('response-or-reference')] },
          '^[45]\\d\\d$': { anyOf: [own('codes'), openapi('response-or-reference')] },
        },
        additionalProperties: false,
      },
    },
    [
      'operationId',
      'summary',
      'description',
      'tags',
      'security',
      ...members.filter(([, { required }]) => required === true).map(([name]) => name),
      'responses',
    ],
  );
}

/**
 * Returns the keywords of JSON Schema 2020-12 that contain schemas; an editor accepts all others, except mistyped
 * members of the dialect.
 */
function schemaObject(): Json {
  const schemas = own('schema');
  return {
    anyOf: [
      { type: 'boolean' },
      {
        type: 'object',
        properties: {
          $ref: { type: 'string' },
          type: {},
          format: { type: 'string' },
          description: { type: 'string' },
          enum: { type: 'array' },
          pattern: { type: 'string' },
          minLength: { type: 'integer' },
          maxLength: { type: 'integer' },
          minimum: { type: 'number' },
          maximum: { type: 'number' },
          required: list({ type: 'string' }),
          properties: map(schemas),
          items: schemas,
          minItems: { type: 'integer' },
          maxItems: { type: 'integer' },
          uniqueItems: { type: 'boolean' },
          additionalProperties: schemas,
          propertyNames: schemas,
          maxProperties: { type: 'integer' },
          allOf: list(schemas),
          oneOf: list(schemas),
          anyOf: list(schemas),
          ...extensions('schema'),
        },
        patternProperties: { [`^x-(?!(${[...namesOn('schema')].map((name) => name.slice(2)).join('|')})$)`]: false },
      },
    ],
  };
}

/** Returns the members of the dialect at a place, each with its meaning. */
function extensions(place: MemberOwner): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    members
      .filter(([, { on }]) => on.includes(place))
      .map(([name, { schema, text }]) => [
        name,
        { ...schema, description: `${text.charAt(0).toUpperCase()}${text.slice(1)}.` },
      ]),
  );
}

function object(
  properties: Readonly<Record<string, Json>>,
  required: readonly string[] = [],
): { readonly [keyword: string]: unknown } {
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties,
    additionalProperties: false,
  };
}

function list(items: Json): { readonly type: 'array'; readonly items: Json } {
  return { type: 'array', items };
}

function map(values: Json): Json {
  return { type: 'object', additionalProperties: values };
}

function own(name: string): Json {
  return { $ref: `#/definitions/${name}` };
}

function openapi(name: string): Json {
  return { $ref: `${OPENAPI}#/$defs/${name}` };
}
