import type { ApiModel, OperationModel } from '../model.ts';
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

export function methodSource(operation: OperationModel, model: ApiModel): string {
  const head = `  ${operation.sdk.method}(${parameterList(operation).join(', ')}): ${resultType(operation, model)} {\n`;
  return `${comment(operationComment(operation), '  ')}${head}${methodBody(operation, model)}  }\n`;
}

function methodBody(operation: OperationModel, model: ApiModel): string {
  const { operationId, pagination } = operation;
  const files = fileMembers(operation);
  const facts = operationFacts(operation);
  if (pagination) {
    return `    return this.#transport.list(${facts}, options, params,\n`
      + `      (call, query) => ${operationId}(${callArguments(operation, 'query')}), (body) => body.${pagination.items});\n`;
  }
  const prepared = files.length === 0 ? '' : `    const body = withFiles<${operation.body?.schemaName ?? ''}, ${files.map((f) => `'${f}'`).join(' | ')}>(params, [${files.map((f) => `'${f}'`).join(', ')}]);\n`;
  const send = isBinary(operation, model) ? 'download' : 'send';
  return `${prepared}    return this.#transport.${send}(${facts}, options,\n`
    + `      ${files.length === 0 ? '' : 'async '}(call) => ${operationId}(${callArguments(operation, 'query: params')}));\n`;
}

/** What the transport must know, as an object literal. */
function operationFacts(operation: OperationModel): string {
  const auth = schemesOf(operation).map((scheme) => `'${scheme}'`).join(', ');
  return `{ route: '${operation.method.toUpperCase()} ${operation.path}', auth: [${auth}]${operation.idempotent ? ', keyed: true' : ''} }`;
}

/** The argument of the flat function; `query` says how the query travels, if there is one. */
function callArguments(operation: OperationModel, query: string): string {
  const { path, header } = operation.parameters;
  // The transport stamps the idempotency key itself, once for all attempts.
  const headers = header.filter((parameter) => !(operation.idempotent && parameter.name === 'Idempotency-Key'))
    .map((parameter) => `'${parameter.name}': options?.${parameter.typescript}`);
  const body = operation.body === null ? [] : [fileMembers(operation).length > 0 ? 'body: await body' : 'body: params'];
  const parts = [
    '...call',
    ...(headers.length === 0 ? [] : [`headers: { ...call.headers, ${headers.join(', ')} }`]),
    ...(path.length === 0 ? [] : [`path: { ${path.map((p) => (p.name === p.typescript ? p.name : `'${p.name}': ${p.typescript}`)).join(', ')} }`]),
    ...(operation.body === null && operation.parameters.query.length > 0 ? [query] : []),
    ...body,
  ];
  return parts.length === 1 ? 'call' : `{ ${parts.join(', ')} }`;
}

export function kebabCase(path: string): string {
  return path.split('.').map((part) => part.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()).join('-');
}

