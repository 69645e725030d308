/**
 * Texts of Python source: literals, docstrings, names. Used by all writers of the Python SDK. Prose of the contract
 * must not end a docstring.
 */
import type { OperationModel, ProblemModel } from '../model.ts';
import { pascalCase, snakeCase } from '../naming.ts';
import { generatedBy } from '../source-text.ts';

/** Returns the first line of a generated module. */
export function header(): string {
  return `# ${generatedBy('scripts/generate.ts')}\n`;
}

/** Returns a Python string literal. */
export function str(value: string): string {
  return JSON.stringify(value);
}

/**
 * Returns a docstring, indented for a body at `indent`. Prose of the contract is Markdown, which may contain quotes and
 * backslashes.
 */
export function docstring(text: string, indent: string): string {
  const safe = text.trim().replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
  const lines = safe.split('\n').map((line) => line.trimEnd());
  const [first = '', ...rest] = lines;
  if (rest.length === 0) return `${indent}"""${first}"""\n`;
  const below = rest.map((line) => (line === '' ? '\n' : `${indent}${line}\n`)).join('');
  return `${indent}"""${first}\n${below}${indent}"""\n`;
}

/** Turns `createApplication` into `CREATE_APPLICATION`. */
export function operationConstant({ operationId }: OperationModel): string {
  return snakeCase(operationId).toUpperCase();
}

/** Classes of `_status_errors.py`, by status. */
const STATUS_CLASSES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  403: 'PermissionDeniedError',
  404: 'NotFoundError',
  405: 'MethodNotAllowedError',
  406: 'NotAcceptableError',
  409: 'ConflictError',
  410: 'GoneError',
  412: 'PreconditionFailedError',
  413: 'PayloadTooLargeError',
  415: 'UnsupportedMediaTypeError',
  422: 'UnprocessableContentError',
  423: 'LockedError',
  428: 'PreconditionRequiredError',
  429: 'RateLimitError',
};

/** Returns the class of a problem code, and the class of its status. */
export function problemClass({ code, status }: ProblemModel): { readonly name: string; readonly base: string } {
  const base = STATUS_CLASSES[status] ?? (status >= 500 ? 'ServerError' : 'APIStatusError');
  return { name: `${pascalCase(code).replace(/Error$/, '')}Error`, base };
}

/** Writes `builtins.list` in a class with a member `list`, which hides the built-in type from its annotations. */
export function withoutHidden(members: string): string {
  return /^ {4}list: /m.test(members) ? members.replaceAll(/\blist\[/g, 'builtins.list[') : members;
}
