import { METHODS, resolve } from './contract.ts';
import type { Contract, MediaType, Operation, Parameter, PathItem, RequestBody, Response } from './contract.ts';
import { schemaSites } from '../lint/walk-schemas.ts';
import { generatedBy } from './header.ts';
import { RuntimeSchemas } from './runtime-schemas.ts';

/**
 * `server/contract/generated/contract.runtime.json`: what the validator needs and nothing else. Parameters, bodies and
 * responses stand inline, so an operation is its path item plus the schemas it reaches by `$ref`. Responses are closed
 * here (the published contract leaves them open for clients); security is enforced before validation by the server.
 */
export function runtimeContract(contract: Contract): string {
  const schemas = new RuntimeSchemas(contract.components.schemas ?? {});
  const paths = Object.fromEntries(Object.entries(contract.paths).map(([path, item]) => [path, runtimePath(contract, schemas, item)]));
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

/** Pattern → what it allows in words. The lint rule `pattern-words` sees to it that these are the same wherever the pattern stands. */
function patternWords(contract: Contract): Record<string, string> {
  return Object.fromEntries(schemaSites(contract).flatMap(({ schema: { pattern, 'x-must-be': words } }) => (pattern === undefined || words === undefined ? [] : [[pattern, words]])));
}

function runtimePath(contract: Contract, schemas: RuntimeSchemas, item: PathItem) {
  return Object.fromEntries(METHODS.flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [[method, runtimeOperation(contract, schemas, item, operation)]];
  }));
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
    ...(body !== undefined && { requestBody: { required: body.required ?? false, content: content(schemas, body.content, 'request') } }),
    responses: Object.fromEntries(Object.entries(operation.responses).map(([status, node]) => {
      const response = resolve<Response>(contract, node);
      const description = '';
      return [status, response.content === undefined ? { description } : { description, content: content(schemas, response.content, 'response') }];
    })),
  };
}

function content(schemas: RuntimeSchemas, media: Readonly<Record<string, MediaType>>, reading: 'request' | 'response') {
  return Object.fromEntries(Object.entries(media).map(([type, { schema, encoding }]) => [
    type,
    { ...(schema !== undefined && { schema: schemas.use(schema, reading) }), ...(encoding !== undefined && { encoding }) },
  ]));
}

function withoutExtensions<T extends object>(node: T): T {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !key.startsWith('x-'))) as T;
}

/** Compact JSON, but one line per path and per schema, so that a change of the contract is a readable change here. */
function lines(record: Readonly<Record<string, unknown>>): string {
  return `{\n${Object.entries(record).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',\n')}\n}`;
}

function document(members: Readonly<Record<string, unknown>> & { readonly paths: string; readonly components: string }): string {
  const { paths, components, ...rest } = members;
  const head = Object.entries(rest).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `{${head.join(',\n')},\n"paths":${paths},\n"components":${components}}\n`;
}
