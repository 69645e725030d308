import { classForStatus, OAuthError } from '../../../sdks/typescript/src/core/errors.ts';
import { typescriptSample } from '../code-samples/typescript.ts';
import type { ApiModel, OperationModel, ParameterModel, ResourceNode, ResponseModel } from '../model.ts';
import { pascalCase } from '../naming.ts';

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

/** One interface for each header parameter: what a call that declares it may carry in its options. */
export function headerOptionsFile(model: ApiModel): string {
  const parameters = new Map(model.operations.flatMap((operation) => operation.parameters.header).map((parameter) => [parameter.name, parameter]));
  return [...parameters.values()].map((parameter) =>
    `export interface ${headerOption(parameter)} {\n`
    + comment(parameter.description.trim().split('\n'), '  ')
    + `  readonly ${parameter.typescript}?: string | undefined;\n}\n`).join('\n');
}

export function headerOption(parameter: ParameterModel): string {
  return `${pascalCase(parameter.typescript)}Option`;
}

/** `options?: RequestOptions & IdempotencyKeyOption` */
function optionsParameter(operation: OperationModel): string {
  const headers = operation.parameters.header;
  const types = headers.map((header) => (header.required ? `Required<${headerOption(header)}>` : headerOption(header)));
  return `options${headers.some((header) => header.required) ? '' : '?'}: ${['RequestOptions', ...types].join(' & ')}`;
}

/** A JSDoc block at the given indentation. */
export function comment(lines: readonly string[], indent: string): string {
  const safe = lines.map((line) => line.replaceAll('*/', '*\\/').trimEnd());
  if (safe.length === 1) return `${indent}/** ${safe[0] ?? ''} */\n`;
  return `${indent}/**\n${safe.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`;
}

/** Summary, description, arguments, errors and an example of an operation, as the contract words them. */
function operationComment(operation: OperationModel): string[] {
  const arguments_ = operation.parameters.path.map((parameter) => `@param ${parameter.typescript} ${oneLine(parameter.description)}`);
  const errors = operation.failures.map((failure) => `@throws {${errorClass(failure)}} ${failure.status}: ${oneLine(failure.description)}`);
  return [
    `${operation.summary}.`, '', ...operation.description.trim().split('\n'), '',
    ...(operation.deprecated ? ['@deprecated'] : []), ...arguments_, ...errors, ...exampleOf(operation),
  ];
}

/** The sample without its head, which is the same everywhere: the imports and the client. */
function exampleOf(operation: OperationModel): string[] {
  const [, , ...use] = typescriptSample(operation).split('\n\n');
  return ['@example', '```ts', ...use.join('\n\n').split('\n'), '```'];
}

/** Only the token endpoint answers errors that are not problem documents: its own (RFC 6749 §5.2). */
function errorClass(failure: ResponseModel): string {
  return failure.mediaType === 'application/json' ? OAuthError.name : classForStatus(failure.status).name;
}

export function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** Schemes of the contract, in its order, without repetition. */
function schemesOf(operation: OperationModel): string[] {
  return [...new Set(operation.security.flatMap((requirement) => Object.keys(requirement)))];
}
