import type { ApiModel, OperationModel } from '../model.ts';
import { pythonName } from '../naming.ts';
import { documentation } from './documentation.ts';
import { answerType, answeredModel, isDownload } from './answer.ts';
import { argumentsOf } from './arguments.ts';
import type { Argument } from './arguments.ts';
import type { Naming } from './argument-type.ts';
import { operationConstant } from './operations-module.ts';
import type { ProblemCodes } from './problem-codes.ts';
import { docstring, str } from './text.ts';

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
