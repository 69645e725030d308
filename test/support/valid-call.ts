import type { Operation } from '../../server/contract/operation.ts';
import { credentialOf, exampleCall, type ExampleCall } from './example-call.ts';
import { exampleBodies, isPublic } from './operations.ts';
import { paramsOf } from './records.ts';
import type { Answer, Call, Tenant, TestService } from './service.ts';
import { situations } from './situations.ts';

/** A request that succeeds: an example of the contract, about records that exist, from somebody who may. */
export async function validCall(service: TestService, tenant: Tenant, operation: Operation, example = exampleBodies(operation)[0]): Promise<Required<ExampleCall>> {
  const { place = tenant, as, headers, params, body: known } = await situations[operation.operationId]?.(service, tenant) ?? {};
  const body = example && { ...example, value: { ...example.value, ...known } };
  const { call, ...request } = exampleCall(operation, params ?? await paramsOf(service, place, operation), body);
  return {
    ...request,
    call: { ...call, headers: { ...call.headers, ...headers }, ...!isPublic(operation) && { as: as ?? await credentialOf(place, operation) } },
  };
}

export { newApplication, newDocument, paramsOf } from './records.ts';

export async function send<T>(service: TestService, { method, path, call }: ExampleCall, more: Call = {}): Promise<Answer<T>> {
  return service.request<T>(method, path, { ...call, ...more, headers: { ...call.headers, ...more.headers } });
}
