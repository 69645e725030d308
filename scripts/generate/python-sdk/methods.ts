/** Writes a method of the Python SDK with its types and documentation. Used by the resources and modules. */
import { type Argument, argumentsOf, WHOLE, wholeBody } from './arguments.ts';
import { pythonUse } from '../code-samples/python.ts';
import type { ApiModel, BodyModel, OperationModel } from '../model.ts';
import { pythonName } from '../naming.ts';
import type { ProblemCodes } from '../problem-codes.ts';
import { isUnion } from './models.ts';
import { docstring, operationConstant, problemClass, str } from './text.ts';
import type { Naming } from './types.ts';

export function methodName(operation: OperationModel): string {
  return pythonName(operation.sdk.method);
}

/**
 * Returns a method. An object body is passed either by its members or as a whole: there are two signatures for type
 * checkers, and one implementation whose defaults cover both, in which `takes` checks the combination of arguments at
 * call time.
 */
export function methodSource(operation: OperationModel, model: ApiModel, naming: Naming, codes: ProblemCodes): string {
  const args = argumentsOf(operation, naming, model.schemas);
  const signature = signatureOf(operation, model);
  const members = args.filter(isMember);
  const others = args.filter((argument) => !isMember(argument));
  const whole = { ...WHOLE, type: wholeBody(operation, naming) };
  const first =
    operation.body?.members === undefined || operation.body.members === null
      ? ''
      : [`    @overload\n${signature(args)} ...\n`, `    @overload\n${signature([...others, whole])} ...\n`].join('');
  const taken =
    first === ''
      ? args
      : [
          ...others,
          { ...WHOLE, type: 'Any', fallback: 'UNSET' },
          ...members.map((argument) => ({ ...argument, type: 'Any', fallback: argument.fallback ?? 'REQUIRED' })),
        ];
  return (
    `${first}    @takes(${optionsOf(operation)})\n${signature(taken)}\n` +
    docstring(documentation(operation, args, model, codes), '        ') +
    `        return ${returned(operation, model, args)}\n`
  );
}

/** Returns a signature such as `async def get(self, …) -> Thing:`. */
export function signatureOf(
  operation: OperationModel,
  model: ApiModel,
  name = methodName(operation),
): (args: readonly Argument[]) => string {
  // A list is requested when it is awaited or iterated, so its method is no coroutine.
  const kind = operation.pagination === null ? 'async def' : 'def';
  return (args) => {
    const positional = args.filter(isPositional).map(declaration);
    const keywords = args.filter((argument) => !isPositional(argument)).map(declaration);
    const parameters = [
      'self',
      ...positional,
      ...(keywords.length === 0 ? [] : ['*', ...keywords]),
      `**options: Unpack[${optionsOf(operation)}]`,
    ];
    return `    ${kind} ${name}(${parameters.join(', ')},) -> ${answerType(operation, model)}:`;
  };
}

/**
 * Returns whether an argument may be positional: identifiers, and the whole body after them; all others are keywords.
 */
function isPositional({ kind }: Argument): boolean {
  return kind === 'path' || kind === 'body';
}

function isMember({ kind }: Argument): boolean {
  return kind === 'member' || kind === 'file';
}

function optionsOf({ idempotent }: OperationModel): string {
  return idempotent ? 'KeyedCallOptions' : 'CallOptions';
}

function declaration({ name, type, fallback }: Argument): string {
  return `${name}: ${type}${fallback === null ? '' : ` = ${fallback}`}`;
}

/**
 * Returns the result expression. A type checker cannot infer the type of a union from the alias that is its value, so a
 * cast states it.
 */
function returned(operation: OperationModel, model: ApiModel, args: readonly Argument[]): string {
  const call = `${operation.pagination === null ? 'await ' : ''}${sending(operation, model, args)}`;
  return isUnionAnswer(operation, model) ? `cast(${str(answerType(operation, model))}, ${call})` : call;
}

function isUnionAnswer(operation: OperationModel, model: ApiModel): boolean {
  return isUnion(model.schemas[answeredModel(operation) ?? ''] ?? {});
}

function sending(operation: OperationModel, model: ApiModel, args: readonly Argument[]): string {
  const download = isDownload(operation, model);
  const parts = [
    `operations.${operationConstant(operation)}`,
    'options',
    ...group('path', args, 'path'),
    ...group('query', args, 'query'),
    ...group('headers', args, 'header'),
    ...(operation.body === null ? [] : [`body=${body(operation.body, args)}`]),
    ...(download ? ['stream=True'] : []),
  ];
  const call = `self._call(${parts.join(', ')})`;
  if (operation.pagination !== null) {
    const { itemSchema, items } = operation.pagination;
    const page = `models.${answeredModel(operation) ?? ''}`;
    return `self._list(models.${itemSchema}, ${page}, ${str(pythonName(items))}, ${call})`;
  }
  if (download) return `self._download(${call})`;
  const answered = answeredModel(operation);
  return answered === null
    ? `self._nothing(${call})`
    : `self._${isUnionAnswer(operation, model) ? 'one_of' : 'object'}(models.${answered}, ${call})`;
}

function group(keyword: string, args: readonly Argument[], kind: Argument['kind']): string[] {
  const members = args.filter((argument) => argument.kind === kind);
  return members.length === 0 ? [] : [`${keyword}=${dictionary(members)}`];
}

function dictionary(args: readonly Argument[]): string {
  return `{${args.map(({ wire, name }) => `${str(wire)}: ${name}`).join(', ')}}`;
}

function body(body: BodyModel, args: readonly Argument[]): string {
  const { mediaType, kind } = body;
  const members = dictionary(args.filter((argument) => argument.kind === 'member'));
  if (kind === 'multipart')
    return `multipart_body(${members}, ${dictionary(args.filter((argument) => argument.kind === 'file'))}, body)`;
  if (kind === 'form') return `form_body(${members}, body)`;
  if (kind === 'binary') return `binary_body(body, ${str(mediaType)})`;
  const rest = [
    ...(mediaType === 'application/json' ? [] : [`media_type=${str(mediaType)}`]),
    ...(body.required || body.members === null ? [] : ['required=False']),
  ];
  const model = `models.${body.schemaName ?? ''}`;
  return body.members === null
    ? `json_value_body(${['body', model, ...rest].join(', ')})`
    : `json_body(${[model, members, 'body', ...rest].join(', ')})`;
}

/** Returns whether the operation returns a file. */
export function isDownload({ successes: [first] }: OperationModel, model: ApiModel): boolean {
  return first !== undefined && (first.binary || model.schemas[first.schemaName ?? '']?.format === 'binary');
}

/** Returns the name of the returned model; null for an empty response. */
function answeredModel(operation: OperationModel): string | null {
  const names = new Set(operation.successes.map((success) => success.schemaName));
  const [name] = names;
  if (names.size > 1)
    throw new Error(`${operation.operationId}: a call answers one model, not ${[...names].join(' or ')}`);
  return name ?? null;
}

/** Returns the return type of the asynchronous method. */
export function answerType(
  operation: OperationModel,
  model: ApiModel,
  { page, download, models }: AnswerNames = ASYNCHRONOUS,
): string {
  if (operation.pagination !== null) return `${page}[${models}${operation.pagination.itemSchema}]`;
  if (isDownload(operation, model)) return download;
  const name = answeredModel(operation);
  return name === null ? 'None' : `${models}${name}`;
}

/** Names of the types of results. */
interface AnswerNames {
  readonly page: string;
  readonly download: string;
  readonly models: string;
}
const ASYNCHRONOUS: AnswerNames = { page: 'AsyncPaginator', download: 'AsyncDownload', models: 'models.' };
/** Names that readers of the synchronous client know. */
export const SYNCHRONOUS: AnswerNames = { page: 'Page', download: 'Download', models: '' };

/** Returns the docstring of a method: its purpose, arguments, errors, and a working call. */
function documentation(
  operation: OperationModel,
  args: readonly Argument[],
  model: ApiModel,
  codes: ProblemCodes,
): string {
  return [
    `${operation.summary.replace(/\.?$/, '.')}\n\n${operation.description.trim()}${operation.deprecated ? '\n\nDeprecated.' : ''}`,
    section(
      'Args',
      args
        .filter(({ description }) => description !== '')
        .map(({ name, description }) => `${name}: ${description.trim().replaceAll('\n', '\n        ')}`),
    ),
    section(
      'Raises',
      (codes.get(operation.operationId) ?? []).flatMap((code) => raised(code, model)),
    ),
    section('Example', pythonUse(operation, model, 'asynchronous').join('\n').split('\n')),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}:\n${lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n')}`;
}

function raised(code: string, { problems }: ApiModel): string[] {
  const problem = problems.find((one) => one.code === code);
  return problem === undefined
    ? []
    : [
        `errors.${problemClass(problem).name}: ${problem.status}, ${problem.title.charAt(0).toLowerCase()}${problem.title.slice(1)}.`,
      ];
}
