/**
 * Cuts the contract to what the validator of one part needs. Used at the start by the validators, and by tools. Throws
 * for formats and members that the validator would silently ignore, because then nothing would check them.
 */
import { isTextFormat } from './text-formats.ts';

/** A schema or any other node of the runtime contract. */
export interface ContractNode {
  readonly [member: string]: unknown;
}

export interface RuntimeParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly allowEmptyValue?: boolean;
  readonly allowReserved?: boolean;
  readonly schema: ContractNode;
}

export type RuntimeContent = Readonly<Record<string, { readonly schema?: ContractNode }>>;

export interface RuntimeOperation extends ContractNode {
  readonly operationId: string;
  readonly parameters?: readonly RuntimeParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: RuntimeContent };
  /** Schema of the result of a merge patch, if the patch changes members of an object. */
  readonly 'x-result'?: ContractNode;
  readonly responses: Readonly<Record<string, { readonly content?: RuntimeContent }>>;
}

export type PatternWords = Readonly<Record<string, string>>;
type Schemas = Readonly<Record<string, ContractNode>>;

/** Generated `contract.runtime.json`: parameters, bodies and responses inline, schemas by reference. */
export interface RuntimeContract {
  readonly openapi: string;
  readonly info: ContractNode;
  readonly paths: Readonly<Record<string, Readonly<Record<string, RuntimeOperation>>>>;
  /** Description of the texts that each pattern allows, for messages. */
  readonly 'x-patterns'?: PatternWords;
  readonly components: { readonly schemas: Schemas };
}

const SCHEMA_REF = '#/components/schemas/';

/**
 * Creates a document of one part of the contract and the schemas that this part refers to. The validator attaches its
 * whole document to every schema that it compiles, so a minimal document keeps start-up time and memory constant per
 * operation. The result is a copy, because the validator changes it.
 */
export function pruneContract<T extends object>(
  contract: RuntimeContract,
  part: T,
): { readonly part: T; readonly document: object } {
  const copy = structuredClone(part);
  const schemas: Record<string, ContractNode> = {};
  collect(copy, contract.components.schemas, schemas);
  return {
    part: copy,
    document: {
      openapi: contract.openapi,
      info: contract.info,
      paths: {},
      components: { schemas },
    },
  };
}

function collect(node: unknown, all: Schemas, found: Record<string, ContractNode>): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) harden(node as Record<string, unknown>);
  for (const [key, value] of Object.entries(node)) {
    if (key === '$ref' && typeof value === 'string') {
      const name = value.slice(SCHEMA_REF.length);
      if (name in found) continue;
      found[name] = structuredClone(target(value, all));
      collect(found[name], all, found);
    } else {
      collect(value, all, found);
    }
  }
}

/**
 * Throws if a node has members that the validator would silently ignore. Adds `type: object` beside a discriminator,
 * because the validator otherwise accepts any type there.
 */
function harden(node: Record<string, unknown>): void {
  if (node['readOnly'] === true || node['writeOnly'] === true) {
    throw new Error(
      'readOnly and writeOnly are not enforced here: the dialect has separate schemas for requests and responses',
    );
  }
  if (typeof node['format'] === 'string' && !FORMATS.has(node['format']) && !isTextFormat(node['format']))
    throw new Error(`the format ${node['format']} is not known`);
  if (typeof node['discriminator'] === 'object' && node['type'] === undefined) node['type'] = 'object';
}

/** Formats that the validator and its format library check. */
const FORMATS: ReadonlySet<string> = new Set([
  'date',
  'time',
  'date-time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'regex',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
  'byte',
  'int32',
  'int64',
  'float',
  'double',
  'password',
  'binary',
]);

function target(ref: string, all: Schemas): ContractNode {
  const schema = ref.startsWith(SCHEMA_REF) ? all[ref.slice(SCHEMA_REF.length)] : undefined;
  if (schema === undefined) throw new Error(`the contract refers to ${ref}, which does not exist`);
  return schema;
}

/** Follows references at the top of a schema, where the validator expects its keywords. */
export function inlined(schema: ContractNode, contract: RuntimeContract): ContractNode {
  const ref = schema['$ref'];
  return typeof ref === 'string' ? inlined(target(ref, contract.components.schemas), contract) : schema;
}

/**
 * Returns the request of an operation for the validator. It differs from OpenAPI in two points, both part of the
 * conformance test: characters that RFC 3986 §3.4 allows unescaped in a query (`:` in a timestamp) are accepted here,
 * and the branches of a discriminated union at the top of a body are distinguished by their tags and not by the names
 * of their schemas, which a wrapping schema achieves.
 */
export function requestPart(
  { operationId, parameters = [], requestBody }: RuntimeOperation,
  contract: RuntimeContract,
): Omit<RuntimeOperation, 'responses'> {
  return {
    operationId,
    // A browser sends cookies on its own, and the user cannot correct an invalid one: it is treated as absent
    // (`request/cookies.ts`).
    parameters: parameters
      .filter((parameter) => parameter.in !== 'cookie')
      .map((parameter) => ({
        ...parameter,
        schema: inlined(parameter.schema, contract),
        ...(parameter.in === 'query' && { allowReserved: true }),
      })),
    ...(requestBody !== undefined && {
      requestBody: {
        required: requestBody.required,
        content: Object.fromEntries(
          Object.entries(requestBody.content).map(([type, { schema }]) => [
            type,
            { schema: bodySchema(schema, contract) },
          ]),
        ),
      },
    }),
  };
}

function bodySchema(schema: ContractNode | undefined, contract: RuntimeContract): ContractNode {
  const body = inlined(schema ?? {}, contract);
  return body['discriminator'] === undefined ? body : { allOf: [body] };
}

/** Returns the bodies of one response, resolved at the top. */
export function responsePart(content: RuntimeContent, contract: RuntimeContract): RuntimeContent {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      media.schema === undefined ? {} : { schema: inlined(media.schema, contract) },
    ]),
  );
}
