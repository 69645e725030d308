import type { Extensions } from '../contract/dialect.ts';

/** The part of JSON Schema 2020-12 (as OpenAPI 3.1 uses it) that the house dialect allows. */
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

const SCHEMAS = '#/components/schemas/';

/** `Application` for `{ $ref: '#/components/schemas/Application' }`, otherwise null. */
export function schemaName(schema: Schema | undefined): string | null {
  return schema?.$ref?.startsWith(SCHEMAS) ? schema.$ref.slice(SCHEMAS.length) : null;
}

export function schemaTypes(schema: Schema): readonly string[] {
  if (schema.type === undefined) return [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}

/** True for `type: [T, 'null']` and for `oneOf: [$ref, {type: 'null'}]`. */
export function isNullable(schema: Schema): boolean {
  return schemaTypes(schema).includes('null') || (schema.oneOf ?? []).some((member) => member.type === 'null');
}
