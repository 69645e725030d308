/**
 * The contract as the validators of the server need it. Used by the tables of the server and by the mock. Responses are
 * closed here, so that undeclared members are noticed.
 */
import {
  type Contract,
  dereference,
  type MediaType,
  METHODS,
  type Operation,
  type Parameter,
  type PathItem,
  type RequestBody,
  resolve,
  type Response,
  type Schema,
} from '../contract/contract.ts';
import { schemaSites } from '../contract/walk.ts';
import { RuntimeSchemas } from './runtime-schemas.ts';
import { generatedBy } from './source-text.ts';

/**
 * Returns `server/contract/generated/contract.runtime.json`: only what the validator needs. Parameters, bodies and
 * responses are inline, so an operation is its path item plus the schemas that it reaches by `$ref`. Responses are
 * closed here (the published contract leaves them open for clients); the server checks security before validation.
 */
export function runtimeContract(contract: Contract): string {
  const schemas = new RuntimeSchemas(contract);
  const paths = Object.fromEntries(
    Object.entries(contract.paths).map(([path, item]) => [path, runtimePath(contract, schemas, item)]),
  );
  return document({
    'x-generated': generatedBy('scripts/generate.ts'),
    openapi: contract.openapi,
    info: { title: contract.info.title, version: contract.info.version },
    servers: [{ url: '/' }],
    'x-patterns': patternWords(contract),
    paths: lines(paths),
    components: `{"schemas":${lines(schemas.components())}}`,
  });
}

/**
 * Returns the explanation of each pattern in words. The lint rule `pattern-words` ensures that it is the same wherever
 * the pattern occurs.
 */
function patternWords(contract: Contract): Record<string, string> {
  return Object.fromEntries(
    schemaSites(contract).flatMap(({ schema: { pattern, 'x-must-be': words } }) =>
      pattern === undefined || words === undefined ? [] : [[pattern, words]],
    ),
  );
}

function runtimePath(contract: Contract, schemas: RuntimeSchemas, item: PathItem) {
  return Object.fromEntries(
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [[method, runtimeOperation(contract, schemas, item, operation)]];
    }),
  );
}

function runtimeOperation(contract: Contract, schemas: RuntimeSchemas, item: PathItem, operation: Operation) {
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((node) => {
    const { description: _, example: __, examples: ___, schema, ...parameter } = resolve<Parameter>(contract, node);
    return { ...withoutExtensions(parameter), schema: schemas.use(schema, 'request') };
  });
  const body = operation.requestBody === undefined ? undefined : resolve<RequestBody>(contract, operation.requestBody);
  return {
    operationId: operation.operationId,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: body.required ?? false, content: content(schemas, body.content, 'request') },
    }),
    ...resultOfPatch(contract, schemas, body?.content['application/merge-patch+json']?.schema),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, node]) => {
        const response = resolve<Response>(contract, node);
        const description = '';
        return [
          status,
          response.content === undefined
            ? { description }
            : { description, content: content(schemas, response.content, 'response') },
        ];
      }),
    ),
  };
}

/**
 * Returns `x-result`: the schema of the result of a merge patch, if the patch changes a record that is created by a
 * schema.
 */
function resultOfPatch(
  contract: Contract,
  schemas: RuntimeSchemas,
  patch: Schema | undefined,
): { readonly 'x-result'?: Schema } {
  const result = patch === undefined ? null : creationOf(contract, patch);
  return result === null ? {} : { 'x-result': schemas.use(result, 'request') };
}

function creationOf(contract: Contract, patch: Schema): Schema | null {
  const { 'x-merge-patch-of': creation, properties = {}, oneOf } = dereference(contract, patch);
  if (creation !== undefined) return { $ref: `#/components/schemas/${creation}` };
  if (oneOf !== undefined) {
    const [compound] = oneOf.flatMap((one) => creationOf(contract, one) ?? []);
    return compound === undefined ? null : { oneOf: [compound, { type: 'null' }] };
  }
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const result = creationOf(contract, member);
    return result === null ? [] : [[name, result] as const];
  });
  return members.length === 0 ? null : { type: 'object', properties: Object.fromEntries(members) };
}

function content(schemas: RuntimeSchemas, media: Readonly<Record<string, MediaType>>, reading: 'request' | 'response') {
  return Object.fromEntries(
    Object.entries(media).map(([type, { schema, encoding }]) => [
      type,
      {
        ...(schema !== undefined && { schema: schemas.use(schema, reading) }),
        ...(encoding !== undefined && { encoding }),
      },
    ]),
  );
}

function withoutExtensions<T extends object>(node: T): T {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !key.startsWith('x-'))) as T;
}

/** Writes compact JSON, but one line per path and per schema, so that a diff is readable. */
function lines(record: Readonly<Record<string, unknown>>): string {
  return `{\n${Object.entries(record)
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join(',\n')}\n}`;
}

function document(
  members: Readonly<Record<string, unknown>> & { readonly paths: string; readonly components: string },
): string {
  const { paths, components, ...rest } = members;
  const head = Object.entries(rest).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `{${head.join(',\n')},\n"paths":${paths},\n"components":${components}}\n`;
}
