/** Tests of the generated TypeScript method that follows a feed. */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../build-model.ts';
import { feedContract } from '../fixtures/contract.ts';
import { operationsFile } from './operations.ts';
import { followMethod } from './resources.ts';

const operations = buildModel(feedContract()).operations;
const methodsOf = (operationId: string) =>
  operations.filter((operation) => operation.operationId === operationId).flatMap(followMethod);

describe('the method that follows a feed', () => {
  it('is made of the list, of what acknowledges a cursor, and of the header that tells when to come back', () => {
    expect(methodsOf('searchApplications')[0]).toContain(
      'follow(options?: FollowOptions<Application>): Follow<Application>;',
    );
    const model = buildModel(feedContract());
    expect(operationsFile(model)).toMatch(/search\S* \d\S* .* items\.,create,X-Poll-Interval$/m);
  });

  it.each([
    [['id', 'tenantId'], 'items,'],
    [['name', 'eventId'], 'items.eventId,'],
    [['name'], 'items.,'],
  ])('tells by which member an item that requires %j is named', (required, told) => {
    const model = buildModel(feedContract());
    const schemas = { ...model.schemas, Application: { ...model.schemas['Application'], required } };
    expect(operationsFile({ ...model, schemas })).toContain(` ${told}create,`);
  });

  it('is not made of any other operation', () => {
    expect(methodsOf('createApplication')).toEqual([]);
  });

  it('cannot be made when nothing acknowledges', () => {
    expect(() => buildModel(feedContract('acknowledgeNothing'))).toThrow('x-follow.acknowledge names no operation');
  });
});
