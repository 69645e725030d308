/**
 * Types of the contract as scripts read it, and following references. Used by all generators, rules and comparisons. A
 * reference without a target throws.
 */
import { segmentsOf } from '../../server/base/json-pointer.ts';
import type { Extensions } from './dialect-columns.ts';

/** Bundled contract as the generators read it: OpenAPI 3.1 in the dialect of this project. */
export interface Contract {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers?: readonly {
    readonly url: string;
    readonly description?: string;
    readonly variables?: Readonly<Record<string, { readonly default: string }>>;
  }[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Components;
}

interface Components {
  readonly schemas?: Readonly<Record<string, Schema>>;
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly responses?: Readonly<Record<string, Response>>;
  readonly requestBodies?: Readonly<Record<string, RequestBody>>;
  readonly examples?: Readonly<Record<string, Example>>;
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
}

export const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'] as const;
export type Method = (typeof METHODS)[number];

export interface Reference {
  readonly $ref: string;
}
export type PathItem = { readonly [M in Method]?: Operation } & {
  readonly parameters?: readonly (Parameter | Reference)[];
};
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface Operation extends Extensions<'operation'> {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly security: readonly SecurityRequirement[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody | Reference;
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export interface Parameter extends Extensions<'parameter'> {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example | Reference>>;
}
export interface Header {
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}
export interface Example {
  readonly summary?: string;
  readonly description?: string;
  readonly value: unknown;
}
export interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example | Reference>>;
  readonly encoding?: Readonly<Record<string, { readonly contentType?: string }>>;
}
export interface RequestBody {
  readonly required?: boolean;
  readonly description?: string;
  readonly content: Readonly<Record<string, MediaType>>;
}
export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}
interface SecurityScheme {
  readonly type: 'http' | 'apiKey' | 'oauth2' | 'openIdConnect' | 'mutualTLS';
  readonly name?: string;
  readonly in?: string;
  readonly scheme?: string;
  readonly flows?: Readonly<
    Record<string, { readonly tokenUrl?: string; readonly scopes: Readonly<Record<string, string>> }>
  >;
}

/** Error for a reference without a target; the linter's own rule names the place. */
export class UnresolvedReference extends Error {
  override readonly name = 'UnresolvedReference';
}

/** Returns the target of a local reference; undefined if there is none. */
export function targetOf(contract: object, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return segmentsOf(reference).reduce<unknown>(
    (node, segment) => (node as Record<string, unknown> | null | undefined)?.[segment],
    contract,
  );
}

/** Follows one local reference; a bundled contract has no others. */
export function resolve<T extends object>(contract: Contract, node: T | Reference): T {
  if (!('$ref' in node)) return node;
  const target = targetOf(contract, node.$ref);
  if (target === undefined) throw new UnresolvedReference(`unresolved reference ${node.$ref}`);
  return resolve(contract, target as T | Reference);
}

/** Returns the schema itself, or the target if it is a reference. */
export function dereference(contract: Contract, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : resolve<Schema & object>(contract, { $ref: schema.$ref });
}

/** Part of JSON Schema 2020-12 (as OpenAPI 3.1 uses it) that the dialect allows. */
export interface Schema extends Extensions<'schema'> {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly unevaluatedProperties?: boolean;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping?: Readonly<Record<string, string>> };
  readonly deprecated?: boolean;
}

/** Keywords of JSON Schema 2020-12 that contain schemas: one, a list of them, or a map. */
export const SUBSCHEMAS = {
  one: new Set(['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else']),
  list: new Set(['allOf', 'oneOf', 'anyOf', 'prefixItems']),
  map: new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']),
} as const;

const SCHEMAS = '#/components/schemas/';

/** Returns `Application` for `{ $ref: '#/components/schemas/Application' }`, otherwise null. */
export function schemaName(schema: Schema | undefined): string | null {
  return schema?.$ref?.startsWith(SCHEMAS) ? schema.$ref.slice(SCHEMAS.length) : null;
}

export function schemaTypes(schema: Schema): readonly string[] {
  if (schema.type === undefined) return [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}

/** Returns true for `type: [T, 'null']` and for `oneOf: [$ref, {type: 'null'}]`. */
export function isNullable(schema: Schema): boolean {
  return schemaTypes(schema).includes('null') || (schema.oneOf ?? []).some((member) => member.type === 'null');
}

/** Adds empty sections to a contract that is being written, so that rules need not expect missing ones. */
export function inAnyState(contract: Partial<Contract>): Contract {
  return {
    openapi: '3.1.1',
    info: { title: '', version: '' },
    ...contract,
    paths: contract.paths ?? {},
    components: contract.components ?? {},
  };
}
