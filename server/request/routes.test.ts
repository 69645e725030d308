/** Tests of the table that finds the operation of a path. */
import { describe, expect, it } from 'vitest';
import { Routes } from './routes.ts';

const routes = new Routes<string>();
for (const [method, path] of [
  ['GET', '/v1/applications'],
  ['POST', '/v1/applications'],
  ['GET', '/v1/applications/{id}'],
  ['GET', '/v1/applications/search'],
  ['POST', '/v1/applications/{id}/submit'],
  ['GET', '/v1/applications/{id}/documents/{doc}/content'],
  ['GET', '/v1/{area}/search/deep'],
] as const)
  routes.add(method, path, `${method} ${path}`);

const found = (path: string) => {
  const match = routes.find(path);
  return match === null ? null : [[...match.methods.values()].join(' | '), ...match.values];
};

describe('the route table', () => {
  it('finds a path that has no operation', () => {
    const table = new Routes<string>();
    table.methodsAt('/v1/steps/{step}');
    expect(table.find('/v1/steps/first')).toEqual({ methods: new Map(), values: ['first'] });
    expect(table.find('/v1/steps')).toBeNull();
  });

  it.each([
    ['/v1/applications', ['GET /v1/applications | POST /v1/applications']],
    ['/v1/applications/7', ['GET /v1/applications/{id}', '7']],
    ['/v1/applications/search', ['GET /v1/applications/search']],
    ['/v1/applications/7/submit', ['POST /v1/applications/{id}/submit', '7']],
    ['/v1/applications/7/documents/8/content', ['GET /v1/applications/{id}/documents/{doc}/content', '7', '8']],
    ['/v1/applications/a%2Fb', ['GET /v1/applications/{id}', 'a%2Fb']],
    ['/v1/users/search/deep', ['GET /v1/{area}/search/deep', 'users']],
  ])('finds %s', (path, expected) => {
    expect(found(path)).toEqual(expected);
  });

  it('matches a fixed segment as a parameter if no other route matches', () => {
    expect(found('/v1/applications/search/deep')).toEqual(['GET /v1/{area}/search/deep', 'applications']);
    expect(found('/v1/applications/search/submit')).toEqual(['POST /v1/applications/{id}/submit', 'search']);
  });

  it.each([
    '/v1/applications/',
    '/V1/applications',
    '/v1/applications//submit',
    '/v1',
    '/',
    '',
    '/v1/applications/7/',
    '//v1/applications',
    '/v1/applications/7/submit/now',
  ])('does not find %j', (path) => {
    expect(found(path)).toBeNull();
  });

  it('refuses two operations with the same method and path', () => {
    expect(() => routes.add('GET', '/v1/applications/{other}', 'x')).toThrow(
      'two operations at GET /v1/applications/{other}',
    );
  });
});
