import { METHODS, resolve } from '../generate/contract.ts';
import type { Contract, MediaType, Method, Operation, Parameter, PathItem, Reference, RequestBody, Response } from '../generate/contract.ts';
import type { Pointer } from './rule.ts';

/** An operation as it stands: a member that the dialect demands may be missing. */
export interface OperationSite {
  readonly operation: Partial<Operation>;
  readonly item: PathItem;
  readonly path: string;
  readonly method: Method;
  readonly pointer: Pointer;
}

export function operationSites(contract: Contract): OperationSite[] {
  return Object.entries(contract.paths).flatMap(([path, item]) => METHODS.flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [{ operation, item, path, method, pointer: ['paths', path, method] }];
  }));
}

export function parametersOf(contract: Contract, { item, operation }: OperationSite): Parameter[] {
  return [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((node) => resolve<Parameter>(contract, node));
}

/** Every parameter where it is written: at an operation, at a path or as a component. */
export function parameterSites(contract: Contract): { readonly parameter: Parameter; readonly pointer: Pointer }[] {
  const lists = [
    ...Object.entries(contract.paths).map(([path, { parameters }]) => ({ parameters, pointer: ['paths', path, 'parameters'] })),
    ...operationSites(contract).map(({ operation: { parameters }, pointer }) => ({ parameters, pointer: [...pointer, 'parameters'] })),
  ];
  return [
    ...Object.entries(contract.components.parameters ?? {}).map(([name, parameter]) => ({ parameter, pointer: ['components', 'parameters', name] })),
    ...lists.flatMap(({ parameters = [], pointer }) => parameters.flatMap((node, index) => ('$ref' in node ? [] : [{ parameter: node, pointer: [...pointer, index] }]))),
  ];
}

export interface ResponseSite { readonly status: string; readonly response: Response; readonly pointer: Pointer }

export function responsesOf(contract: Contract, { operation, pointer }: OperationSite): ResponseSite[] {
  return Object.entries(operation.responses ?? {}).map(([status, node]) => ({
    status,
    response: resolve<Response>(contract, node),
    pointer: [...pointer, 'responses', status],
  }));
}

export interface MediaSite { readonly type: string; readonly media: MediaType; readonly pointer: Pointer; readonly direction: 'request' | 'response' }

/** Every media type where it is written: inline in an operation or as a component. */
export function mediaSites(contract: Contract): MediaSite[] {
  const { responses = {}, requestBodies = {} } = contract.components;
  return [
    ...operationSites(contract).flatMap(({ operation, pointer }) => [
      ...contentOf(operation.requestBody, [...pointer, 'requestBody'], 'request'),
      ...Object.entries(operation.responses ?? {}).flatMap(([status, node]) => contentOf(node, [...pointer, 'responses', status], 'response')),
    ]),
    ...Object.entries(requestBodies).flatMap(([name, node]) => contentOf(node, ['components', 'requestBodies', name], 'request')),
    ...Object.entries(responses).flatMap(([name, node]) => contentOf(node, ['components', 'responses', name], 'response')),
  ];
}

function contentOf(node: RequestBody | Response | Reference | undefined, pointer: Pointer, direction: MediaSite['direction']): MediaSite[] {
  if (node === undefined || '$ref' in node) return [];
  return Object.entries(node.content ?? {}).map(([type, media]) => ({ type, media, pointer: [...pointer, 'content', type], direction }));
}

/** True for the endpoint that answers in the form of RFC 6749 instead of RFC 9457. */
export function isTokenEndpoint(path: string): boolean {
  return path === '/oauth/token';
}

export function isJson(mediaType: string): boolean {
  return /[/+]json$/.test(mediaType);
}
