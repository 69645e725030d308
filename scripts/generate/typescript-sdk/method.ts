/**
 * Writes a method of the TypeScript SDK with its types and documentation. Used by the writers of resources and
 * operations.
 */
import { classForStatus, OAuthError } from '../../../sdks/typescript/src/core/errors.ts';
import { typescriptUse } from '../code-samples/typescript.ts';
import type { ApiModel, OperationModel, ParameterModel, ResponseModel } from '../model.ts';
import { pascalCase } from '../naming.ts';
import type { ProblemCodes } from '../problem-codes.ts';
import { throwsOf } from './problems.ts';
import { comment, oneLine } from './text.ts';

/** Returns the type of `params` for an operation without a body: its query parameters, as a named type. */
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

/** Returns the type that the call resolves to, with the names of the contract. */
export function resultType(operation: OperationModel, model: ApiModel): string {
  if (operation.pagination) return `PagePromise<${operation.pagination.itemSchema}>`;
  return `ApiPromise<${bodyType(operation, model)}>`;
}

/** Returns the type of the response body. */
export function bodyType(operation: OperationModel, model: ApiModel): string {
  return isBinary(operation, model)
    ? 'Download'
    : [...new Set(operation.successes.map((success) => success.schemaName ?? 'void'))].join(' | ');
}

/** Returns the named schemas in the method's signature. */
export function schemasOf(operation: OperationModel, model: ApiModel): string[] {
  return [operation.body?.schemaName, ...resultsOf(operation, model)].filter((name) => typeof name === 'string');
}

function resultsOf(operation: OperationModel, model: ApiModel): readonly (string | null)[] {
  if (operation.pagination) return [operation.pagination.itemSchema];
  return isBinary(operation, model) ? [] : operation.successes.map((success) => success.schemaName);
}

/** Returns whether the operation has query parameters, beside which the dialect forbids a body. */
export function hasQuery({ body, parameters }: OperationModel): boolean {
  return body === null && parameters.query.length > 0;
}

export function fileMembers(operation: OperationModel): string[] {
  return operation.body?.kind === 'multipart'
    ? (operation.body.members ?? []).filter((member) => member.file).map((member) => member.name)
    : [];
}

/** A parameter of a method. */
export interface SignatureParameter {
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
}

export function parametersOf(operation: OperationModel): SignatureParameter[] {
  const path = operation.parameters.path.map((parameter) => ({
    name: parameter.typescript,
    required: true,
    type: 'string',
  }));
  const options = {
    name: 'options',
    required: operation.parameters.header.some((header) => header.required),
    type: optionsType(operation),
  };
  return [...path, ...paramsParameter(operation), options];
}

/** Returns a list such as `applicationId: string, options?: RequestOptions`. */
export function parameterList(operation: OperationModel): string {
  return parametersOf(operation)
    .map(({ name, required, type }) => `${name}${required ? '' : '?'}: ${type}`)
    .join(', ');
}

/** Returns the parameter for the body or the query, if there is one. */
export function paramsParameter(operation: OperationModel): SignatureParameter[] {
  const { body, parameters } = operation;
  if (body) {
    const files = fileMembers(operation)
      .map((name) => `'${name}'`)
      .join(' | ');
    const type = body.schemaName ?? 'Uploadable';
    return [{ name: 'params', required: body.required, type: files === '' ? type : `Upload<${type}, ${files}>` }];
  }
  if (!hasQuery(operation)) return [];
  return [
    { name: 'params', required: parameters.query.some((parameter) => parameter.required), type: paramsType(operation) },
  ];
}

/** Returns the method of the resource, fully documented. */
export function methodSource(operation: OperationModel, model: ApiModel, codes: ProblemCodes): string {
  const above = comment(operationComment(operation, throwsOf(operation, model, codes)), '  ');
  return `${above}  ${operation.sdk.method}(${parameterList(operation)}): ${resultType(operation, model)};\n`;
}

export function kebabCase(path: string): string {
  return path
    .split('.')
    .map((part) => part.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase())
    .join('-');
}

/** Returns one interface for each header parameter: the option of a call that declares it. */
export function headerOptionsFile(model: ApiModel): string {
  const parameters = new Map(
    model.operations
      .flatMap((operation) => operation.parameters.header)
      .map((parameter) => [parameter.name, parameter]),
  );
  return [...parameters.values()]
    .map(
      (parameter) =>
        `export interface ${headerOption(parameter)} {\n` +
        comment(parameter.description.trim().split('\n'), '  ') +
        `  readonly ${parameter.typescript}?: string | undefined;\n}\n`,
    )
    .join('\n');
}

export function headerOption(parameter: ParameterModel): string {
  return `${pascalCase(parameter.typescript)}Option`;
}

export function optionsType({ parameters }: OperationModel): string {
  return [
    'RequestOptions',
    ...parameters.header.map((header) =>
      header.required ? `Required<${headerOption(header)}>` : headerOption(header),
    ),
  ].join(' & ');
}

/** Returns summary, description, arguments, errors and an example of an operation, in the words of the contract. */
function operationComment(operation: OperationModel, problems: readonly string[]): string[] {
  const arguments_ = operation.parameters.path.map(
    (parameter) => `@param ${parameter.typescript} ${oneLine(parameter.description)}`,
  );
  const errors = operation.failures.map(
    (failure) => `@throws {${errorClass(failure)}} ${failure.status}: ${oneLine(failure.description)}`,
  );
  return [
    `${operation.summary}.`,
    '',
    ...operation.description.trim().split('\n'),
    '',
    ...(operation.deprecated ? ['@deprecated'] : []),
    ...arguments_,
    ...problems,
    ...errors,
    ...exampleOf(operation),
  ];
}

/** Returns the sample without its imports and client, which are the same everywhere. */
function exampleOf(operation: OperationModel): string[] {
  return ['@example', '```ts', ...typescriptUse(operation).join('\n').split('\n'), '```'];
}

/**
 * Returns the error class: only the token endpoint has errors of its own form instead of problem documents (RFC 6749
 * §5.2).
 */
function errorClass(failure: ResponseModel): string {
  return failure.mediaType === 'application/json' ? OAuthError.name : classForStatus(failure.status).name;
}
