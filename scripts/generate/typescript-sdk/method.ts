import type { ApiModel, OperationModel, ResourceNode } from '../model.ts';
import { comment, operationComment } from './comment.ts';
import { optionsParameter } from './header-options.ts';
import { schemesOf } from './resource-nodes.ts';

/** `params` of an operation without a body: its query parameters, as a named type. */
export function paramsType(operation: OperationModel): string {
  return `${pascalFromId(operation.operationId)}Params`;
}

export function dataType(operation: OperationModel): string {
  return `${pascalFromId(operation.operationId)}Data`;
}

function pascalFromId(operationId: string): string {
  return operationId.charAt(0).toUpperCase() + operationId.slice(1);
}

export function isBinary(operation: OperationModel, model: ApiModel): boolean {
  const [success] = operation.successes;
  return success !== undefined && (success.binary || model.schemas[success.schemaName ?? '']?.format === 'binary');
}

/** What the call resolves to, by the names of the contract. */
export function resultType(operation: OperationModel, model: ApiModel): string {
  if (operation.pagination) return `PagePromise<${operation.pagination.itemSchema}>`;
  if (isBinary(operation, model)) return 'ApiPromise<Download>';
  const bodies = operation.successes.map((success) => success.schemaName ?? 'void');
  return `ApiPromise<${[...new Set(bodies)].join(' | ')}>`;
}

/** Named schemas that the method's signature mentions. */
export function schemasOf(operation: OperationModel, model: ApiModel): string[] {
  const results = operation.pagination ? [operation.pagination.itemSchema] : isBinary(operation, model) ? [] : operation.successes.map((s) => s.schemaName);
  return [operation.body?.schemaName, ...results].filter((name) => typeof name === 'string');
}

export function fileMembers(operation: OperationModel): string[] {
  return operation.body?.kind === 'multipart' ? (operation.body.members ?? []).filter((member) => member.file).map((member) => member.name) : [];
}

export function parameterList(operation: OperationModel): string[] {
  const path = operation.parameters.path.map((parameter) => `${parameter.typescript}: string`);
  return [...path, ...paramsParameter(operation), optionsParameter(operation)];
}

function paramsParameter(operation: OperationModel): string[] {
  const { body, parameters } = operation;
  if (body) {
    const files = fileMembers(operation).map((name) => `'${name}'`).join(' | ');
    const type = body.schemaName ?? 'Uploadable';
    return [`params${body.required ? '' : '?'}: ${files === '' ? type : `Upload<${type}, ${files}>`}`];
  }
  if (parameters.query.length === 0) return [];
  return [`params${parameters.query.some((parameter) => parameter.required) ? '' : '?'}: ${paramsType(operation)}`];
}

/** The method of the resource class, documented in full. */
export function methodSource(operation: OperationModel, model: ApiModel): string {
  const { operationId, sdk } = operation;
  const head = `  ${sdk.method}(${parameterList(operation).join(', ')}): ${resultType(operation, model)} {\n`;
  return `${comment(operationComment(operation), '  ')}${head}    return ${operationId}(${['this.#client', ...argumentNames(operation)].join(', ')});\n  }\n`;
}

/** The function that does the work, for bundles that need few operations. */
export function functionSource(operation: OperationModel, node: ResourceNode, model: ApiModel): string {
  const { operationId, sdk } = operation;
  const parameters = ['client: Transport', ...parameterList(operation)].join(', ');
  return `${comment([`${operation.summary}: {@link ${node.className}.${sdk.method}} as a function.`], '')}`
    + `export function ${operationId}(${parameters}): ${resultType(operation, model)} {\n${functionBody(operation, model)}}\n`;
}

function argumentNames(operation: OperationModel): string[] {
  return parameterList(operation).map((parameter) => parameter.replace(/\??: .*$/s, ''));
}

function functionBody(operation: OperationModel, model: ApiModel): string {
  const { operationId, pagination } = operation;
  const facts = operationFacts(operation);
  if (pagination) {
    return `  return listOf(client, ${facts}, options, params?.cursor,\n`
      + `    (http, page) => api.${operationId}(${callArguments(operation, 'query: { ...params, ...page }')}), '${pagination.items}');\n`;
  }
  const invoke = `(http) => api.${operationId}(${callArguments(operation, 'query: params')})`;
  return isBinary(operation, model) ? `  return downloadOf(client, ${facts}, options,\n    ${invoke});\n` : `  return client.send(${facts}, options,\n    ${invoke});\n`;
}

/** What the transport must know, as an object literal. */
function operationFacts(operation: OperationModel): string {
  const auth = schemesOf(operation).map((scheme) => `'${scheme}'`).join(', ');
  return `{ auth: [${auth}]${operation.idempotent ? ', keyed: true' : ''} }`;
}

/** The argument of hey-api's function; `query` says how the query travels, if there is one. */
function callArguments(operation: OperationModel, query: string): string {
  const { path, header } = operation.parameters;
  // The transport stamps the idempotency key itself, once for all attempts.
  const headers = header.filter((parameter) => !(operation.idempotent && parameter.name === 'Idempotency-Key'))
    .map((parameter) => `'${parameter.name}': options?.${parameter.typescript}`);
  return `{ ${[
    'client: http',
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(path.length === 0 ? [] : [`path: { ${path.map((p) => (p.name === p.typescript ? p.name : `'${p.name}': ${p.typescript}`)).join(', ')} }`]),
    ...(operation.body === null && operation.parameters.query.length > 0 ? [query] : []),
    ...bodyArgument(operation),
  ].join(', ')} }`;
}

function bodyArgument(operation: OperationModel): string[] {
  if (operation.body === null) return [];
  const files = fileMembers(operation);
  if (files.length === 0) return ['body: params'];
  const names = (separator: string): string => files.map((name) => `'${name}'`).join(separator);
  return [`body: withFiles<${operation.body.schemaName ?? ''}, ${names(' | ')}>(params, [${names(', ')}])`];
}

export function kebabCase(path: string): string {
  return path.split('.').map((part) => part.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()).join('-');
}
