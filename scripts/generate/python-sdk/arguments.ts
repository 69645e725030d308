/** Arguments of a method of the Python SDK. Used by the writers of methods. Two arguments of one name are an error. */
import type { MemberModel, OperationModel, ParameterModel } from '../model.ts';
import { writtenOut } from './named-schemas.ts';
import { argumentType } from './types.ts';
import type { Naming } from './types.ts';

/** An argument of a method. */
export interface Argument {
  readonly name: string;
  /** Name on the wire. */
  readonly wire: string;
  readonly type: string;
  /** Python source of the default; null for a required argument. */
  readonly fallback: string | null;
  readonly description: string;
  readonly kind: 'path' | 'body' | 'query' | 'header' | 'member' | 'file';
}

export const WHOLE = {
  name: 'body',
  wire: '',
  fallback: null,
  description: '',
  kind: 'body',
} as const;

/** Returns the type of a whole body. */
export function wholeBody({ body, operationId }: OperationModel, naming: Naming): string {
  if (body === null) return '';
  if (body.kind === 'binary') return 'FileInput';
  if (body.schemaName === null) throw new Error(`${operationId}: the body ${body.mediaType} needs a named schema`);
  return argumentType({ $ref: `#/components/schemas/${body.schemaName}` }, naming);
}

/** Names used by the options of a call and by the whole body. */
const OPTIONS = new Set([
  'body',
  'timeout',
  'deadline',
  'max_retries',
  'extra_headers',
  'extra_query',
  'idempotency_key',
]);

/**
 * Returns the arguments of an operation in the order of its signature; header parameters that an option covers are left
 * out.
 */
export function argumentsOf(operation: OperationModel, naming: Naming, schemas: OperationSchemas): Argument[] {
  const { parameters, body } = operation;
  const found = [
    ...parameters.path.map((parameter) => ofParameter(parameter, naming, schemas)),
    ...(body === null || body.members !== null
      ? []
      : [{ ...WHOLE, type: wholeBody(operation, naming), description: 'What is sent.' }]),
    ...(body?.members ?? []).map((member) => ofMember(member, naming, schemas)),
    ...parameters.query.map((parameter) => ofParameter(parameter, naming, schemas)),
    ...parameters.header
      .filter(({ python }) => python !== 'idempotency_key')
      .map((parameter) => ofParameter(parameter, naming, schemas)),
  ];
  const names = found.map(({ name }) => name);
  const clash = found.find(
    ({ name, kind }, index) => (OPTIONS.has(name) && kind !== 'body') || names.indexOf(name) !== index,
  )?.name;
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

/**
 * Returns the argument of a body member. An omitted member differs from `None`, which is sent as null if the contract
 * allows it.
 */
function ofMember(member: MemberModel, naming: Naming, schemas: OperationSchemas): Argument {
  const type = argumentType(writtenOut(member.schema, schemas), naming);
  return {
    name: member.python,
    wire: member.name,
    type: member.required
      ? type
      : `${type.replace(/ \| None$/, '')} | Unset${type.endsWith(' | None') ? ' | None' : ''}`,
    fallback: member.required ? null : 'UNSET',
    description: member.description || schemas[member.schemaName ?? '']?.description || '',
    kind: member.file ? 'file' : 'member',
  };
}
