import { describe, expect, it } from 'vitest';
import { buildModel } from '../build-model.ts';
import { feedContract } from '../fixtures/contract.ts';
import { followMethod } from './resources.ts';

const operations = buildModel(feedContract()).operations;
const methodsOf = (operationId: string) => operations.filter((operation) => operation.operationId === operationId).flatMap(followMethod);

describe('the method that follows a feed', () => {
  it('is made of the list, of what acknowledges a cursor, and of the header that tells when to come back', () => {
    const [source] = methodsOf('searchApplications');
    expect(source).toContain('follow(options?: FollowOptions<Application>): Follow<Application> {');
    expect(source).toContain('list: (query, request) => this.search(query, request),');
    expect(source).toContain('acknowledge: (cursor, request) => this.create({ cursor }, request),');
    expect(source).toContain("interval: 'X-Poll-Interval',");
  });

  it('is not made of any other operation', () => {
    expect(methodsOf('createApplication')).toEqual([]);
  });

  it('cannot be made when nothing acknowledges', () => {
    expect(() => buildModel(feedContract('acknowledgeNothing'))).toThrow('x-follow.acknowledge names no operation');
  });
});
