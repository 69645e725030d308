/** The contract as tests read it: its operations, roles and enumerations. */
import {
  type Contract,
  dereference,
  type Example,
  type Header,
  type Parameter,
  type PathItem,
  resolve,
  type Response,
  type Schema,
} from '../../scripts/contract/contract.ts';
import { projectContract } from '../../scripts/contract/project.ts';
import { operations } from '../../server/contract/generated/operations.ts';
import type { Operation, OperationId, Role } from '../../server/contract/operation.ts';
import { chosenOperations } from './quick.ts';

const contract: Contract = projectContract();

/** Returns the values of an enumeration of the contract. */
export function enumerated(schema: string): readonly string[] {
  return contract.components.schemas?.[schema]?.enum as readonly string[];
}

/** All roles of the contract. */
export const ROLES = enumerated('Role') as readonly Role[];

/** All operations of the contract, for look-ups. */
export const allOperations = Object.values(operations) as readonly Operation[];

const chosen = chosenOperations();

/**
 * Every operation of the contract: tests that are tables over them cover operations that do not exist yet. `make quick`
 * limits the tables to the operations of a change.
 */
export const everyOperation =
  chosen === null ? allOperations : allOperations.filter(({ operationId }) => chosen.has(operationId));

export const isPublic = ({ security }: Operation): boolean => security.length === 0;
export const takesBody = ({ requestTypes }: Operation): boolean => requestTypes.length > 0;
export const hasPathParameters = ({ path }: Operation): boolean => path.includes('{');

export interface ExampleBody {
  readonly mediaType: string;
  readonly name: string;
  readonly value: Record<string, unknown>;
}

/** Returns the example request bodies of an operation. */
export function exampleBodies(operation: Operation): readonly ExampleBody[] {
  const { requestBody } = described(operation);
  if (requestBody === undefined) return [];
  return Object.entries(resolve(contract, requestBody).content).flatMap(([mediaType, { examples = {} }]) =>
    Object.entries(examples).map(([name, example]) => ({
      mediaType,
      name,
      value: resolve<Example>(contract, example).value as Record<string, unknown>,
    })),
  );
}

/** Returns the schema of the body that an operation takes, or null; of several media types, the first that matches. */
export function schemaOfBody(operation: Operation, mediaTypes = /./): Schema | null {
  const { requestBody } = described(operation);
  if (requestBody === undefined) return null;
  return (
    Object.entries(resolve(contract, requestBody).content).find(([mediaType]) => mediaTypes.test(mediaType))?.[1]
      .schema ?? null
  );
}

/** Returns the schema of the JSON body of an operation, or null. */
export function jsonSchemaOf(operation: Operation): Schema | null {
  return schemaOfBody(operation, /json$/);
}

export function namedSchema(name: string): Schema {
  return dereference(contract, { $ref: `#/components/schemas/${name}` });
}

export const dereferenced = (schema: Schema): Schema => dereference(contract, schema);

export function parametersOf(operation: Operation): readonly Parameter[] {
  return [...(described(operation).parameters ?? []), ...(itemOf(operation).parameters ?? [])].map((parameter) =>
    resolve<Parameter>(contract, parameter),
  );
}

/** Returns the header fields that a response with this status must have, besides `Content-Type`. */
export function requiredHeaders(operation: Operation, status: number): readonly string[] {
  const response = described(operation).responses[status];
  if (response === undefined) throw new Error(`${operation.operationId} does not document ${status}`);
  return Object.entries(resolve<Response>(contract, response).headers ?? {})
    .filter(([, header]) => resolve<Header>(contract, header).required === true)
    .map(([name]) => name);
}

export function operation(id: OperationId): Operation {
  return operations[id];
}

function itemOf({ path }: Operation): PathItem {
  const item = contract.paths[path];
  if (item === undefined) throw new Error(`the contract has no ${path}`);
  return item;
}

export function described(operation: Operation) {
  const found = itemOf(operation)[operation.method];
  if (found === undefined) throw new Error(`the contract has no ${operation.operationId}`);
  return found;
}
