/** A contract of one operation and its validator. Used by the tests of the validators. */
import type { Operation } from '../../server/contract/operation.ts';
import { Problem } from '../../server/contract/problem.ts';
import type { RuntimeContract, RuntimeOperation } from '../../server/contract/pruned-contract.ts';
import { type OperationValidator, type RequestInput, Validators } from '../../server/request/validate.ts';

type Schemas = RuntimeContract['components']['schemas'];

/** Returns a contract of one operation, in the form that the generator writes. */
export function contractOf(
  operation: Partial<RuntimeOperation>,
  schemas: Schemas = {},
  path = '/v1/things/{id}',
  method = 'post',
): RuntimeContract {
  const responses = {
    200: { description: '', content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
  };
  return {
    openapi: '3.1.1',
    info: { title: 'Fixture', version: '1.0.0' },
    paths: { [path]: { [method]: { operationId: 'fixture', responses, ...operation } as RuntimeOperation } },
    components: { schemas: { Thing: { type: 'object' }, ...schemas } },
  };
}

export function compile(contract: RuntimeContract): OperationValidator {
  const [path = '', item = {}] = Object.entries(contract.paths)[0] ?? [];
  return new Validators(contract).compile({
    operationId: 'fixture',
    path,
    method: Object.keys(item)[0],
  } as unknown as Operation);
}

export const input = (over: Partial<RequestInput> = {}): RequestInput => ({
  params: { id: '7' },
  query: {},
  headers: {},
  body: undefined,
  ...over,
});

/** Returns `accepted`, or the code of the problem with one entry per error. */
export function verdict(
  validator: OperationValidator,
  request: Partial<RequestInput>,
  mediaType: string | null = 'application/json',
): string[] {
  try {
    validator.request(input(request), mediaType);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [
      error.code,
      ...(error.members.errors ?? []).map((each) => `${each.pointer ?? each.parameter ?? ''} ${each.code}`),
    ];
  }
  return ['accepted'];
}

export const json = (schema: object) =>
  ({ required: true, content: { 'application/json': { schema } } }) as RuntimeOperation['requestBody'];
