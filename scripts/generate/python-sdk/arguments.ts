import type { MemberModel, OperationModel, ParameterModel } from '../model.ts';
import { argumentType } from './argument-type.ts';
import type { Naming } from './argument-type.ts';
import { writtenOut } from './named-schemas.ts';

/** One argument of a method. */
export interface Argument {
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
