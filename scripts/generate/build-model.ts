/**
 * Makes the model from which all generators work, out of the contract. Called by the pipeline and by tools. It relies
 * on what lint guarantees and throws where that is missing.
 */
import { dereference, METHODS, resolve, schemaName } from '../contract/contract.ts';
import type { Contract, Operation, Parameter, PathItem, Response, Schema } from '../contract/contract.ts';
import { columnsOf } from '../contract/dialect-columns.ts';
import type { ImpliedColumns } from '../contract/dialect-columns.ts';
import { isMethod } from '../contract/dialect-operations.ts';
import { bodyModel, exampleOf, plainMembers } from './model-body.ts';
import type {
  ApiModel,
  BodyModel,
  FollowModel,
  OperationModel,
  PaginationModel,
  ParameterModel,
  ProblemModel,
  ResourceNode,
  ResponseModel,
  SdkName,
} from './model.ts';
import { argumentName, pascalCase, pythonName, resourcePath } from './naming.ts';

export function buildModel(contract: Contract): ApiModel {
  const operations = Object.entries(contract.paths).flatMap(([path, item]) => operationsOf(contract, path, item));
  const schemas = contract.components.schemas ?? {};
  return {
    title: contract.info.title,
    version: contract.info.version,
    operations,
    resources: resourceTree(operations),
    schemas,
    problems: problemsOf(contract),
    scopes: contract.components.securitySchemes?.['oauth2']?.flows?.['clientCredentials']?.scopes ?? {},
  };
}

/** OpenAPI 3.1 section 4.8.12: definitions of these header parameters are ignored. */
const IGNORED_HEADERS = new Set(['accept', 'content-type', 'authorization']);

function operationsOf(contract: Contract, path: string, item: PathItem): OperationModel[] {
  return METHODS.flatMap((method) => {
    const operation = item[method];
    if (operation === undefined) return [];
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((p) =>
      resolve<Parameter>(contract, p),
    );
    const responses = Object.entries(operation.responses)
      .map(([status, response]) => responseModel(contract, Number(status), resolve<Response>(contract, response)))
      .sort((a, b) => a.status - b.status);
    const sdk = operation['x-sdk'];
    const body = operation.requestBody === undefined ? null : bodyModel(contract, operation.requestBody);
    return [
      {
        operationId: operation.operationId,
        method,
        path,
        tag: operation.tags[0] ?? '',
        summary: operation.summary,
        description: operation.description,
        deprecated: operation.deprecated ?? false,
        deprecation: deprecationOf(operation),
        sdk: {
          ...sdkName(`${sdk.resource}.${sdk.method}`),
          aliases: (sdk.aliases ?? []).filter(isMethod).map(sdkName),
          formerIds: (sdk.aliases ?? []).filter((name) => !isMethod(name)),
        },
        parameters: {
          path: inPathOrder(
            path,
            parameters.filter((p) => p.in === 'path'),
          ).map((p) => parameterModel(contract, p)),
          query: parameters.filter((p) => p.in === 'query').map((p) => parameterModel(contract, p)),
          header: parameters
            .filter((p) => p.in === 'header' && !IGNORED_HEADERS.has(p.name.toLowerCase()))
            .map((p) => parameterModel(contract, p)),
        },
        body,
        successes: responses.filter((r) => r.status < 400),
        failures: responses.filter((r) => r.status >= 400),
        security: operation.security,
        needsFullData: {
          operation: operation['x-needs-full-data'] ?? false,
          parameters: parameters.filter((p) => p['x-needs-full-data'] === true).map(({ name }) => name),
        },
        showsPersons: answersOf(contract, operation).some((schema) => holdsPersons(contract, schema)),
        pagination: paginationModel(contract, operation, responses),
        follow: followModel(contract, operation),
        ...columnsOf(operation, impliedOf(operation, body)),
      },
    ];
  });
}

function sdkName(typescript: string): SdkName {
  const steps = resourcePath(typescript);
  return {
    resource: steps.slice(0, -1).join('.'),
    method: steps.at(-1) ?? '',
    typescript,
    python: steps.map(pythonName).join('.'),
  };
}

/** Implements what the dialect says about omitted `x-rate-limit` and `x-transaction`. */
function impliedOf(
  { security, 'x-roles': roles, 'x-pagination': pagination }: Operation,
  body: BodyModel | null,
): ImpliedColumns {
  const ofReading = pagination?.items === 'events' ? 'feed' : 'default';
  const ofCaller = () => (roles.length === 1 && roles[0] === 'platform_admin' ? 'platform' : 'tenant');
  return {
    rateLimit: body?.mediaTypes.includes('multipart/form-data') === true ? 'uploads' : ofReading,
    transaction: security.length === 0 ? 'own' : ofCaller(),
  };
}

function answersOf(contract: Contract, { responses }: Operation): Schema[] {
  const successes = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => resolve<Response>(contract, response));
  return successes
    .flatMap(({ content = {} }) => Object.values(content))
    .flatMap(({ schema }) => (schema === undefined ? [] : [schema]));
}

/** Returns whether any nested member is marked `x-pii`. */
function holdsPersons(contract: Contract, node: Schema, above: readonly Schema[] = []): boolean {
  const schema = dereference(contract, node);
  if (node['x-pii'] === true || schema['x-pii'] === true) return true;
  if (above.includes(schema)) return false;
  const { properties = {}, items, additionalProperties, allOf = [], oneOf = [], anyOf = [] } = schema;
  const within = [
    ...Object.values(properties),
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...allOf,
    ...oneOf,
    ...anyOf,
  ];
  return within.some((part) => holdsPersons(contract, part, [...above, schema]));
}

/** Returns both dates, which the lint rule `deprecations` requires. */
function deprecationOf({
  deprecated,
  'x-deprecated-since': since,
  'x-sunset': sunset,
}: Operation): OperationModel['deprecation'] {
  return deprecated === true && since !== undefined && sunset !== undefined ? { since, sunset } : null;
}

function inPathOrder(path: string, parameters: readonly Parameter[]): Parameter[] {
  return [...parameters].sort((a, b) => path.indexOf(`{${a.name}}`) - path.indexOf(`{${b.name}}`));
}

function parameterModel(contract: Contract, parameter: Parameter): ParameterModel {
  const { name } = parameter;
  const argument = argumentName(parameter);
  return {
    name,
    typescript: argument,
    python: pythonName(argument),
    in: parameter.in as ParameterModel['in'],
    required: parameter.required ?? false,
    description: parameter.description ?? '',
    schema: parameter.schema,
    schemaName: schemaName(parameter.schema),
    example: exampleOf(contract, parameter),
  };
}

function responseModel(contract: Contract, status: number, response: Response): ResponseModel {
  const content = Object.entries(response.content ?? {});
  const [mediaType, media] = content[0] ?? [null, undefined];
  return {
    status,
    description: response.description,
    mediaType,
    mediaTypes: content.map(([type]) => type),
    schemaName: schemaName(media?.schema),
    binary: media?.schema !== undefined && dereference(contract, media.schema).format === 'binary',
    headers: Object.entries(response.headers ?? {}).map(([name, node]) => {
      const header = resolve(contract, node);
      return {
        name,
        required: header.required ?? false,
        description: header.description ?? '',
        schema: header.schema,
      };
    }),
    example: media === undefined ? undefined : exampleOf(contract, media),
  };
}

function paginationModel(
  contract: Contract,
  operation: Operation,
  responses: readonly ResponseModel[],
): PaginationModel | null {
  const pagination = operation['x-pagination'];
  if (pagination === undefined) return null;
  const envelope = contract.components.schemas?.[responses[0]?.schemaName ?? ''];
  const itemSchema = schemaName(envelope?.properties?.[pagination.items]?.items);
  if (itemSchema === null)
    throw new Error(`${operation.operationId}: x-pagination.items names no array of a named schema`);
  return { items: pagination.items, itemSchema };
}

function followModel(contract: Contract, operation: Operation): FollowModel | null {
  const follow = operation['x-follow'];
  if (follow === undefined) return null;
  const operations = Object.values(contract.paths).flatMap((item) => METHODS.map((method) => item[method]));
  const acknowledge = operations.find((candidate) => candidate?.operationId === follow.acknowledge);
  if (acknowledge === undefined) throw new Error(`${operation.operationId}: x-follow.acknowledge names no operation`);
  return { acknowledge: acknowledge['x-sdk'].method, interval: follow.interval };
}

function problemsOf(contract: Contract): ProblemModel[] {
  const all = plainMembers(contract, contract.components.schemas?.['Problem'] ?? {}) ?? [];
  return Object.entries(contract.components.schemas?.['ProblemCode']?.['x-problems'] ?? {}).map(
    ([code, { members = [], ...entry }]) => ({
      code,
      ...entry,
      members: all.filter(({ name }) => members.includes(name)),
    }),
  );
}

/** Groups operations by `x-sdk.resource`, in order of first appearance in the contract. */
export function resourceTree(operations: readonly OperationModel[], prefix: readonly string[] = []): ResourceNode {
  const path = prefix.join('.');
  const called = (operation: OperationModel): readonly SdkName[] => [operation.sdk, ...operation.sdk.aliases];
  const segments = new Set(
    operations
      .flatMap(called)
      .filter(({ resource }) => isBeneath(resource, path))
      .map(({ resource }) => resourcePath(resource)[prefix.length] ?? ''),
  );
  const aliases = operations.flatMap((operation) =>
    operation.sdk.aliases.filter(({ resource }) => resource === path).map((name) => ({ name, operation })),
  );
  return {
    name: prefix.at(-1) ?? '',
    path,
    className: prefix.map(pascalCase).join(''),
    python: pythonName(prefix.at(-1) ?? ''),
    operations: operations.filter(({ sdk }) => sdk.resource === path),
    aliases: aliases.filter(({ name }) => !segments.has(name.method)),
    formerly: operations.find(({ sdk }) => sdk.aliases.some(({ typescript }) => typescript === path)) ?? null,
    children: [...segments].map((segment) => resourceTree(operations, [...prefix, segment])),
  };
}

function isBeneath(resource: string, path: string): boolean {
  return resource !== path && `${resource}.`.startsWith(path === '' ? '' : `${path}.`);
}
