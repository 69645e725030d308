/** Test of every example of the contract: it succeeds as it is shown. Also of preconditions (`If-Match`). */
import { describe, expect, it } from 'vitest';
import { expectDocumented, send, validCall } from '../support/calls.ts';
import { everyOperation, exampleBodies, parametersOf, type ExampleBody } from '../support/contract.ts';
import { useService, type Problem } from '../support/service.ts';

const service = await useService({ directory: true });

const shown = everyOperation.flatMap((operation) => {
  const bodies: readonly (ExampleBody | undefined)[] = exampleBodies(operation);
  return (bodies.length === 0 ? [undefined] : bodies).map((body) => ({
    name: `${operation.operationId} ${body?.name ?? ''}`,
    operation,
    body,
  }));
});

/** Parameters whose values an earlier answer creates or the existing records bound. */
const OF_RECORDS: ReadonlySet<string> = new Set(['cursor', 'treeSize', 'consistencyFrom']);

describe('an example of the contract', () => {
  it.each(shown)('succeeds as it is shown: $name', async ({ operation, body }) => {
    const answer = await send(service, await validCall(service, service.acme, operation, body));
    expect(answer.status, answer.text).toBeLessThan(300);
    expectDocumented(operation, answer);
  });

  it.each(
    everyOperation.filter(
      (operation) =>
        operation.method === 'get' && parametersOf(operation).some((parameter) => parameter.in === 'query'),
    ),
  )('succeeds with the example of every query parameter that needs no record: $operationId', async (operation) => {
    const query = new URLSearchParams(
      parametersOf(operation)
        .filter((parameter) => parameter.in === 'query' && !OF_RECORDS.has(parameter.name))
        .flatMap(({ name, example }) => [example].flat().map((value): [string, string] => [name, String(value)])),
    );
    const valid = await validCall(service, service.acme, operation);
    const answer = await send(service, { ...valid, path: `${valid.path}?${query}` });
    expect(answer.status, answer.text).toBe(200);
  });
});

describe('a precondition', () => {
  const conditional = everyOperation.filter((operation) =>
    parametersOf(operation).some(({ name }) => name === 'If-Match'),
  );

  it.each(conditional)('refuses a lost update: $operationId', async (operation) => {
    const valid = await validCall(service, service.other, operation);
    const answer = await send<Problem>(service, valid, { headers: { 'If-Match': '"999"' } });
    expect([answer.status, answer.body.code]).toEqual([412, 'version_conflict']);
    expectDocumented(operation, answer);
  });

  it.each(conditional)('accepts the version that the refusal names: $operationId', async (operation) => {
    const valid = await validCall(service, service.acme, operation);
    const {
      body: { currentVersion },
    } = await send<Problem>(service, valid, { headers: { 'If-Match': '"999"' } });
    const answer = await send(service, valid, { headers: { 'If-Match': `"${currentVersion}"` } });
    expect(answer.status, answer.text).toBeLessThan(300);
  });

  it.each(conditional)('must be a list of entity tags: $operationId', async (operation) => {
    const valid = await validCall(service, service.other, operation);
    const answer = await send<Problem>(service, valid, { headers: { 'If-Match': 'three' } });
    expect([answer.status, answer.body.code, answer.body.errors?.[0]?.parameter]).toEqual([
      400,
      'invalid_parameter',
      'If-Match',
    ]);
  });
});
