import { classForStatus, OAuthError } from '../../../sdks/typescript/src/core/errors.ts';
import { typescriptSample } from '../code-samples/typescript.ts';
import type { OperationModel, ResponseModel } from '../model.ts';

/** A JSDoc block at the given indentation. */
export function comment(lines: readonly string[], indent: string): string {
  const safe = lines.map((line) => line.replaceAll('*/', '*\\/').trimEnd());
  if (safe.length === 1) return `${indent}/** ${safe[0] ?? ''} */\n`;
  return `${indent}/**\n${safe.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`;
}

/** Summary, description, arguments, errors and an example of an operation, as the contract words them. */
export function operationComment(operation: OperationModel): string[] {
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
