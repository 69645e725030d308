/** Requests that succeed, for every operation of the contract. Used by the tests of every operation. */
import { expect } from 'vitest';
import type { Operation } from '../../server/contract/operation.ts';
import { arrange, type Ready } from '../operations.ts';
import { exampleBodies, parametersOf, requiredHeaders, type ExampleBody } from './contract.ts';
import { credentialOf } from './credentials.ts';
import { encode } from './encode.ts';
import type { Answer, Call, Tenant, TestService } from './service.ts';

/** A request that can be sent as it is. */
export interface Sendable {
  readonly method: string;
  readonly path: string;
  readonly call: Call;
}

/**
 * Returns a request that succeeds, about existing records, from an authorised caller, with the body of the table of
 * calls or an example of the contract.
 */
export async function validCall(
  service: TestService,
  tenant: Tenant,
  operation: Operation,
  example?: ExampleBody,
): Promise<Sendable> {
  const ready = await arrange(service, tenant, operation);
  return example === undefined
    ? readyCall(operation, ready, ready.body)
    : readyCall(operation, ready, { ...example.value, ...ready.given }, example.mediaType);
}

/** Returns two requests about the same records that differ in every member of their bodies. */
export async function validCalls(
  service: TestService,
  tenant: Tenant,
  operation: Operation,
): Promise<readonly [Sendable, Sendable]> {
  const ready = await arrange(service, tenant, operation);
  return [readyCall(operation, ready, ready.body), readyCall(operation, ready, ready.otherBody)];
}

/** Returns the request of an arranged call, with this body. */
export function readyCall(
  operation: Operation,
  { as, headers, params }: Ready,
  value: object | undefined,
  mediaType = operation.requestTypes[0] ?? '',
): Sendable {
  const { call, ...request } = requestOf(operation, params, value && { mediaType, value });
  return { ...request, call: { ...call, headers: { ...call.headers, ...headers }, as } };
}

/**
 * Returns the request of the contract's examples: well-formed, but about no existing record unless `params` names one.
 */
export function exampleCall(
  operation: Operation,
  params: Readonly<Record<string, string>> = {},
  body = exampleBodies(operation)[0],
): Sendable {
  return requestOf(operation, params, body);
}

/** Uses the contract's examples for parameters that `params` omits. */
function requestOf(
  operation: Operation,
  params: Readonly<Record<string, string>>,
  body: { readonly mediaType: string; readonly value: object } | undefined,
): Sendable {
  const shown = new Map(parametersOf(operation).map(({ name, example }) => [name, String(example)]));
  return {
    method: operation.method.toUpperCase(),
    path: operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? shown.get(name) ?? ''),
    ),
    call: body === undefined ? {} : encode(body),
  };
}

export async function send<T>(
  service: TestService,
  { method, path, call }: Sendable,
  more: Call = {},
): Promise<Answer<T>> {
  return service.request<T>(method, path, { ...call, ...more, headers: { ...call.headers, ...more.headers } });
}

/** Sends the example of an operation from an authorised caller. */
export async function callExample(
  service: TestService,
  operation: Operation,
  more: Call & { readonly query?: string } = {},
): Promise<Answer> {
  const { method, path, call } = exampleCall(operation);
  const { query = '', ...rest } = more;
  return send(
    service,
    { method, path: path + query, call: { as: await credentialOf(service.acme, operation), ...call } },
    rest,
  );
}

/** Expects status, media type and header fields as the contract documents them; the service has checked the body. */
export function expectDocumented(operation: Operation, answer: Answer<unknown>): void {
  const types = operation.responses[answer.status];
  expect(types, `${operation.operationId} documents ${answer.status}`).toBeDefined();
  const type = answer.headers.get('content-type');
  if (types?.length === 0) expect(type).toBeNull();
  else expect(types).toContain(type?.split(';')[0]);
  const missing = requiredHeaders(operation, answer.status).filter((name) => !answer.headers.has(name));
  expect(missing, `header fields of ${operation.operationId} ${answer.status}`).toEqual([]);
}
