/** Tests of the generated Python method that follows a feed. */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../build-model.ts';
import { feedContract } from '../fixtures/contract.ts';
import { followMethod, followRow } from './resources.ts';

const operations = buildModel(feedContract()).operations;
const feed = operations.find(({ operationId }) => operationId === 'searchApplications')!;
const other = operations.find(({ operationId }) => operationId === 'createApplication')!;

describe('the method that follows a feed', () => {
  it('is made of the list, of what acknowledges a cursor, and of the header that tells when to come back', () => {
    const [source] = followMethod(feed);
    expect(source).toContain('-> AsyncFollow[models.Application]:');
    expect(source).toContain('read=lambda at: self.with_response.search(cursor=at, limit=limit, **options),');
    expect(source).toContain('acknowledge=lambda at: self.create(cursor=at, **options),');
    expect(source).toContain('interval="X-Poll-Interval",');
  });

  it('is not made of any other operation, and has a row on the map only where it is', () => {
    expect(followMethod(other)).toEqual([]);
    expect([followRow(other), followRow(feed).startsWith('| `follow([cursor=], [limit=], ')]).toEqual(['', true]);
  });
});
