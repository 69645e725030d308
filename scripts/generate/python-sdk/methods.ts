import { schemaName } from '../../contract/contract.ts';
import type { Schema } from '../../contract/contract.ts';
import { pythonSample } from '../code-samples/python.ts';
import type { ApiModel, MemberModel, OperationModel, ParameterModel } from '../model.ts';
import { pythonName } from '../naming.ts';
import type { ProblemCodes } from './modules.ts';
import { nullableVariant, writtenOut } from './named-schemas.ts';
import type { NamedSchemas } from './named-schemas.ts';
import { docstring, operationConstant, problemClass, str } from './text.ts';

export function methodName(operation: OperationModel): string {
  return pythonName(operation.sdk.method);
}

export function methodSource(operation: OperationModel, model: ApiModel, naming: Naming, codes: ProblemCodes): string {
  const args = argumentsOf(operation, naming, model.schemas);
  const keyed = operation.idempotent ? 'KeyedCallOptions' : 'CallOptions';
  const positional = args.filter(({ kind }) => kind === 'path').map(declaration);
  const keywords = args.filter(({ kind }) => kind !== 'path').map(declaration);
  const parameters = ['self', ...positional, ...(keywords.length === 0 ? [] : ['*', ...keywords]), `**options: Unpack[${keyed}]`];
  // A list is asked for when it is awaited or iterated, so its method is no coroutine.
  const kind = operation.pagination === null ? 'async def' : 'def';
  return `    ${kind} ${methodName(operation)}(${parameters.join(', ')},) -> ${answerType(operation, model)}:\n`
    + docstring(documentation(operation, args, model, codes), '        ')
    + `        return ${operation.pagination === null ? 'await ' : ''}${sending(operation, model, args)}\n`;
}

function declaration({ name, type, fallback }: Argument): string {
  return `${name}: ${type}${fallback === null ? '' : ` = ${fallback}`}`;
}

function sending(operation: OperationModel, model: ApiModel, args: readonly Argument[]): string {
  const download = isDownload(operation, model);
  const parts = [
    `operations.${operationConstant(operation)}`,
    'options',
    ...group('path', args, 'path'),
    ...group('query', args, 'query'),
    ...group('headers', args, 'header'),
    ...body(operation, args),
    ...(download ? ['stream=True'] : []),
  ];
  const call = `self._call(${parts.join(', ')})`;
  if (operation.pagination !== null) {
    const { itemSchema, items } = operation.pagination;
    return `self._list(models.${itemSchema}, models.${answeredModel(operation) ?? ''}, ${str(pythonName(items))}, ${call})`;
  }
  if (download) return `self._download(${call})`;
  const answered = answeredModel(operation);
  return answered === null ? `self._nothing(${call})` : `self._object(models.${answered}, ${call})`;
}

function group(keyword: string, args: readonly Argument[], kind: Argument['kind']): string[] {
  const members = args.filter((argument) => argument.kind === kind);
  return members.length === 0 ? [] : [`${keyword}=${dictionary(members)}`];
}

function dictionary(args: readonly Argument[], value = (name: string): string => name): string {
  return `{${args.map(({ wire, name }) => `${str(wire)}: ${value(name)}`).join(', ')}}`;
}

function body({ operationId, body }: OperationModel, args: readonly Argument[]): string[] {
  if (body === null) return [];
  const members = dictionary(args.filter(({ kind }) => kind === 'member'));
  const files = args.filter(({ kind }) => kind === 'file');
  if (body.kind === 'multipart') {
    const optional = files.find(({ fallback }) => fallback !== null);
    if (optional !== undefined) throw new Error(`${operationId}: the file ${optional.name} must be required`);
    return [`body=multipart_body(${members}, ${dictionary(files, (name) => `upload_of(${name})`)})`];
  }
  if (body.kind === 'form') return [`body=form_body(${members})`];
  if (body.kind === 'binary' || body.schemaName === null) throw new Error(`${operationId}: the Python SDK cannot send ${body.mediaType}`);
  const rest = [
    ...(body.mediaType === 'application/json' ? [] : [`media_type=${str(body.mediaType)}`]),
    ...(body.required ? [] : ['required=False']),
  ];
  return [`body=json_body(${[`models.${body.schemaName}`, members, ...rest].join(', ')})`];
}

/** One argument of a method. */
interface Argument {
  readonly name: string;
  /** The name on the wire. */
  readonly wire: string;
  readonly type: string;
  /** Python source of the default, null for a required argument. */
  readonly fallback: string | null;
  readonly description: string;
  readonly kind: 'path' | 'query' | 'header' | 'member' | 'file';
}

/** Names that the options of a call take. */
const OPTIONS = new Set(['timeout', 'deadline', 'max_retries', 'extra_headers', 'extra_query', 'idempotency_key']);

/** The arguments of an operation in the order of its signature; header parameters that an option covers are left out. */
export function argumentsOf(operation: OperationModel, naming: Naming, schemas: OperationSchemas): Argument[] {
  const { parameters, body } = operation;
  if (body !== null && body.members === null) throw new Error(`${operation.operationId}: the Python SDK needs a body that is one plain object`);
  const found = [
    ...parameters.path.map((parameter) => ofParameter(parameter, naming, schemas)),
    ...(body?.members ?? []).map((member) => ofMember(member, naming, schemas)),
    ...parameters.query.map((parameter) => ofParameter(parameter, naming, schemas)),
    ...parameters.header.filter(({ python }) => python !== 'idempotency_key').map((parameter) => ofParameter(parameter, naming, schemas)),
  ];
  const names = found.map(({ name }) => name);
  const clash = names.find((name, index) => OPTIONS.has(name) || names.indexOf(name) !== index);
  if (clash !== undefined) throw new Error(`${operation.operationId}: two arguments would be called ${clash}`);
  return found;
}

type OperationSchemas = Parameters<typeof writtenOut>[1];

function ofParameter(parameter: ParameterModel, naming: Naming, schemas: OperationSchemas): Argument {
  const type = argumentType(writtenOut(parameter.schema, schemas), naming);
  return {
    name: parameter.python,
    wire: parameter.name,
    type: parameter.required ? type : `${type} | None`,
    fallback: parameter.required ? null : 'None',
    description: parameter.description,
    kind: parameter.in,
  };
}

/** An absent member differs from `None`, which is sent as null where the contract allows it. */
function ofMember(member: MemberModel, naming: Naming, schemas: OperationSchemas): Argument {
  const type = argumentType(writtenOut(member.schema, schemas), naming);
  return {
    name: member.python,
    wire: member.name,
    type: member.required ? type : `${type.replace(/ \| None$/, '')} | Unset${type.endsWith(' | None') ? ' | None' : ''}`,
    fallback: member.required ? null : 'UNSET',
    description: member.description || schemas[member.schemaName ?? '']?.description || '',
    kind: member.file ? 'file' : 'member',
  };
}

/** Where a type is written: it decides how the modules of the package are called there. */
export interface Naming {
  readonly named: NamedSchemas;
  /** Schemas that have a model class. */
  readonly models: ReadonlySet<string>;
  /** How the argument types are reached: `params.` in a resource, nothing within `params.py` itself. */
  readonly params: string;
}

const SCALARS: Readonly<Record<string, string>> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };
const FORMATS: Readonly<Record<string, string>> = { date: 'date | str', 'date-time': 'datetime | str', uuid: 'UUID | str', binary: 'FileInput' };

/** The Python type of an argument: wide in what it takes, so that a caller needs no conversion of its own. */
export function argumentType(schema: Schema, naming: Naming): string {
  const name = schemaName(schema);
  if (name !== null) return named(name, naming);
  const nullable = nullableVariant(schema);
  if (nullable !== null) return `${argumentType(nullable, naming)} | None`;
  if (schema.enum !== undefined) return literalType(schema.enum);
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return 'object';
  const one = [...new Set(types.map((type) => ofType(type, schema, naming)))];
  // In Python, int is accepted where float is asked for.
  return [...one.filter((type) => type !== 'None'), ...one.filter((type) => type === 'None')].join(' | ');
}

export function literalType(values: readonly unknown[]): string {
  return `Literal[${values.map((value) => (value === null ? 'None' : JSON.stringify(value))).join(', ')}]`;
}

function named(name: string, { named: schemas, models, params }: Naming): string {
  const schema = schemas.get(name);
  if (schema === undefined) throw new Error(`${name} has no Python type`);
  // The alias of an enumeration includes its class; an object is taken as a model or as a dictionary.
  if (schema.enum !== undefined || !models.has(name)) return `${params}${name}`;
  return `models.${name} | ${params}${name}`;
}

function ofType(type: string, schema: Schema, naming: Naming): string {
  if (type === 'array') return `Sequence[${argumentType(schema.items ?? {}, naming)}]`;
  if (type === 'object') {
    const { additionalProperties } = schema;
    return `Mapping[str, ${typeof additionalProperties === 'object' ? argumentType(additionalProperties, naming) : 'object'}]`;
  }
  return (type === 'string' ? FORMATS[schema.format ?? ''] : undefined) ?? SCALARS[type] ?? 'object';
}

/** Whether the operation answers a file. */
export function isDownload({ successes: [first] }: OperationModel, model: ApiModel): boolean {
  return first !== undefined && (first.binary || model.schemas[first.schemaName ?? '']?.format === 'binary');
}

/** The name of the model that is answered, null for an empty answer. */
function answeredModel(operation: OperationModel): string | null {
  const names = new Set(operation.successes.map((success) => success.schemaName));
  const [name] = names;
  if (names.size > 1) throw new Error(`${operation.operationId}: a call answers one model, not ${[...names].join(' or ')}`);
  return name ?? null;
}

/** The type that the asynchronous method is annotated with. */
export function answerType(operation: OperationModel, model: ApiModel): string {
  if (operation.pagination !== null) return `AsyncPaginator[models.${operation.pagination.itemSchema}]`;
  if (isDownload(operation, model)) return 'AsyncDownload';
  const name = answeredModel(operation);
  return name === null ? 'None' : `models.${name}`;
}

/** The docstring of a method: what it does, what it takes, what it raises, and a call that works. */
function documentation(operation: OperationModel, args: readonly Argument[], model: ApiModel, codes: ProblemCodes): string {
  return [
    `${operation.summary.replace(/\.?$/, '.')}\n\n${operation.description.trim()}${operation.deprecated ? '\n\nDeprecated.' : ''}`,
    section('Args', args.filter(({ description }) => description !== '').map(({ name, description }) => `${name}: ${description.trim().replaceAll('\n', '\n        ')}`)),
    section('Raises', (codes.get(operation.operationId) ?? []).flatMap((code) => raised(code, model))),
    section('Example', example(operation, model)),
  ].filter((part) => part !== '').join('\n\n');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}:\n${lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n')}`;
}

function raised(code: string, { problems }: ApiModel): string[] {
  const problem = problems.find((one) => one.code === code);
  return problem === undefined ? [] : [`errors.${problemClass(problem).name}: ${problem.status}, ${problem.title.charAt(0).toLowerCase()}${problem.title.slice(1)}.`];
}

/** The sample of the reference without its preamble, as the asynchronous client is called; the other one drops `await`. */
function example(operation: OperationModel, model: ApiModel): string[] {
  const lines = pythonSample(operation, model).split('\n');
  const use = lines.slice(lines.findIndex((line) => line.startsWith('client = ')) + 2);
  while (use.at(-1) === '') use.pop();
  return use.map((line) => line.replace(/^for /, 'async for ').replace(/(?<!in )\bclient\.|^download\./, (call) => `await ${call}`));
}
