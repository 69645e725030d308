/**
 * Visits operations, parameters, responses and schemas of a contract with their places. Used by lint, comparison and
 * generators. What it does not visit is not checked.
 */
import { METHODS, resolve, schemaName } from './contract.ts';
import type {
  Contract,
  Header,
  MediaType,
  Method,
  Operation,
  Parameter,
  PathItem,
  Reference,
  RequestBody,
  Response,
  Schema,
} from './contract.ts';

/** Place in the document: the segments of a JSON Pointer. */
export type Pointer = readonly (string | number)[];

/** An operation as written: a member that the dialect requires may be missing. */
export interface OperationSite {
  readonly operation: Partial<Operation>;
  readonly item: PathItem;
  readonly path: string;
  readonly method: Method;
  readonly pointer: Pointer;
}

export function operationSites(contract: Contract): OperationSite[] {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined
        ? []
        : [
            {
              operation,
              item,
              path,
              method,
              pointer: ['paths', path, method],
            },
          ];
    }),
  );
}

export function parametersOf(contract: Contract, { item, operation }: OperationSite): Parameter[] {
  return [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((node) =>
    resolve<Parameter>(contract, node),
  );
}

/** Returns every parameter where it is written: at an operation, at a path or as a component. */
export function parameterSites(contract: Contract): { readonly parameter: Parameter; readonly pointer: Pointer }[] {
  const lists = [
    ...Object.entries(contract.paths).map(([path, { parameters }]) => ({
      parameters,
      pointer: ['paths', path, 'parameters'],
    })),
    ...operationSites(contract).map(({ operation: { parameters }, pointer }) => ({
      parameters,
      pointer: [...pointer, 'parameters'],
    })),
  ];
  return [
    ...Object.entries(contract.components.parameters ?? {}).map(([name, parameter]) => ({
      parameter,
      pointer: ['components', 'parameters', name],
    })),
    ...lists.flatMap(({ parameters = [], pointer }) =>
      parameters.flatMap((node, index) => ('$ref' in node ? [] : [{ parameter: node, pointer: [...pointer, index] }])),
    ),
  ];
}

interface ResponseSite {
  readonly status: string;
  readonly response: Response;
  readonly pointer: Pointer;
}

export function responsesOf(contract: Contract, { operation, pointer }: OperationSite): ResponseSite[] {
  return Object.entries(operation.responses ?? {}).map(([status, node]) => ({
    status,
    response: resolve<Response>(contract, node),
    pointer: [...pointer, 'responses', status],
  }));
}

interface MediaSite {
  readonly type: string;
  readonly media: MediaType;
  readonly pointer: Pointer;
  readonly direction: 'request' | 'response';
}

/** Returns every media type where it is written: inline in an operation or as a component. */
export function mediaSites(contract: Contract): MediaSite[] {
  const { responses = {}, requestBodies = {} } = contract.components;
  return [
    ...operationSites(contract).flatMap(({ operation, pointer }) => [
      ...contentOf(operation.requestBody, [...pointer, 'requestBody'], 'request'),
      ...Object.entries(operation.responses ?? {}).flatMap(([status, node]) =>
        contentOf(node, [...pointer, 'responses', status], 'response'),
      ),
    ]),
    ...Object.entries(requestBodies).flatMap(([name, node]) =>
      contentOf(node, ['components', 'requestBodies', name], 'request'),
    ),
    ...Object.entries(responses).flatMap(([name, node]) =>
      contentOf(node, ['components', 'responses', name], 'response'),
    ),
  ];
}

function contentOf(
  node: RequestBody | Response | Reference | undefined,
  pointer: Pointer,
  direction: MediaSite['direction'],
): MediaSite[] {
  if (node === undefined || '$ref' in node) return [];
  return Object.entries(node.content ?? {}).map(([type, media]) => ({
    type,
    media,
    pointer: [...pointer, 'content', type],
    direction,
  }));
}

/** Returns whether this is the endpoint that responds in the form of RFC 6749 instead of RFC 9457. */
export function isTokenEndpoint(path: string): boolean {
  return path === '/oauth/token';
}

export function isJson(mediaType: string): boolean {
  return /[/+]json$/.test(mediaType);
}

export interface SchemaSite {
  readonly schema: Schema;
  readonly pointer: Pointer;
}

/** Returns every schema of the contract where it is written, including subschemas; references are not followed. */
export function schemaSites(contract: Contract): SchemaSite[] {
  return roots(contract).flatMap(({ schema, pointer }) => below(schema, pointer));
}

/** Returns every schema that requests or responses reach, once each, at the place where it is written. */
export function schemasReached(contract: Contract, direction: 'request' | 'response'): SchemaSite[] {
  const seen = new Set<string>();
  const queue = mediaSites(contract)
    .filter((site) => site.direction === direction)
    .flatMap(({ media, pointer }) => rootOf(media.schema, [...pointer, 'schema']));
  const found: SchemaSite[] = [];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const site of below(next.schema, next.pointer)) {
      const name = schemaName(site.schema);
      if (name === null) {
        found.push(site);
        continue;
      }
      const target = contract.components.schemas?.[name];
      if (target === undefined || seen.has(name)) continue;
      seen.add(name);
      queue.push({ schema: target, pointer: ['components', 'schemas', name] });
    }
  }
  return found;
}

function roots(contract: Contract): SchemaSite[] {
  const { schemas = {}, parameters = {}, headers = {}, responses = {} } = contract.components;
  return [
    ...Object.entries(schemas).map(([name, schema]) => ({ schema, pointer: ['components', 'schemas', name] })),
    ...Object.entries(parameters).flatMap(([name, node]) =>
      rootOf(schemaOf(node), ['components', 'parameters', name, 'schema']),
    ),
    ...Object.entries(headers).flatMap(([name, node]) =>
      rootOf(schemaOf(node), ['components', 'headers', name, 'schema']),
    ),
    ...Object.entries(contract.paths).flatMap(([path, { parameters: shared }]) =>
      ofParameters(shared, ['paths', path]),
    ),
    ...operationSites(contract).flatMap(({ operation, pointer }) => [
      ...ofParameters(operation.parameters, pointer),
      ...Object.entries(operation.responses ?? {}).flatMap(([status, node]) =>
        ofHeaders(node, [...pointer, 'responses', status]),
      ),
    ]),
    ...Object.entries(responses).flatMap(([name, node]) => ofHeaders(node, ['components', 'responses', name])),
    ...mediaSites(contract).flatMap(({ media, pointer }) => rootOf(media.schema, [...pointer, 'schema'])),
  ];
}

function ofParameters(parameters: readonly (Parameter | Reference)[] = [], pointer: Pointer): SchemaSite[] {
  return parameters.flatMap((node, index) => rootOf(schemaOf(node), [...pointer, 'parameters', index, 'schema']));
}

function ofHeaders(node: Response | Reference, pointer: Pointer): SchemaSite[] {
  const headers = 'headers' in node ? (node.headers ?? {}) : {};
  return Object.entries(headers).flatMap(([name, header]) =>
    rootOf(schemaOf(header), [...pointer, 'headers', name, 'schema']),
  );
}

function schemaOf(node: Parameter | Header | Reference): Schema | undefined {
  return 'schema' in node ? node.schema : undefined;
}

function rootOf(schema: Schema | undefined, pointer: Pointer): SchemaSite[] {
  return schema === undefined ? [] : [{ schema, pointer }];
}

/** Returns a schema and its subschemas; references are not followed. */
export function schemasWithin(schema: Schema): Schema[] {
  return below(schema, []).map((site) => site.schema);
}

function below(schema: Schema, pointer: Pointer): SchemaSite[] {
  const children: SchemaSite[] = [
    ...Object.entries(schema.properties ?? {}).map(([name, child]) => ({
      schema: child,
      pointer: [...pointer, 'properties', name],
    })),
    ...rootOf(schema.items, [...pointer, 'items']),
    ...rootOf(schema.propertyNames, [...pointer, 'propertyNames']),
    ...rootOf(typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined, [
      ...pointer,
      'additionalProperties',
    ]),
    ...(['allOf', 'oneOf', 'anyOf'] as const).flatMap((keyword) =>
      (schema[keyword] ?? []).map((child, index) => ({ schema: child, pointer: [...pointer, keyword, index] })),
    ),
  ];
  return [{ schema, pointer }, ...children.flatMap((child) => below(child.schema, child.pointer))];
}
