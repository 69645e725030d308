import { describe, expect, it } from 'vitest';
import type { Operation } from '../contract/operation.ts';
import type { AnyPrincipal, Scope } from '../contract/principal.ts';
import { authorizer } from './authorize.ts';
import { Problem } from './problem.ts';

const operation = (over: Partial<Operation>): Operation => ({
  tag: 'applications', method: 'get', roles: ['owner', 'analyst'], humanOnly: false,
  security: [{ bearerAuth: ['read'] }, { apiKey: ['read'] }, { oauth2: ['read'] }], ...over,
} as Operation);
const key = (...scopes: Scope[]) => ({ kind: 'api_key', scopes }) as unknown as AnyPrincipal;
const client = (...scopes: Scope[]) => ({ kind: 'oauth_client', scopes }) as unknown as AnyPrincipal;
const user = (role: string) => ({ kind: 'user', role }) as unknown as AnyPrincipal;

const decide = (rule: Operation, principal: AnyPrincipal): unknown => {
  try {
    authorizer(rule)(principal);
  } catch (error) {
    const { code, members } = error as Problem;
    return members['requiredScopes'] === undefined ? code : [code, ...members['requiredScopes'] as string[]];
  }
  return 'allowed';
};

describe('a machine', () => {
  it('needs one of the scopes that the operation names, or admin', () => {
    expect(decide(operation({}), key('read'))).toBe('allowed');
    expect(decide(operation({}), key('write', 'admin'))).toBe('allowed');
    expect(decide(operation({}), key('write', 'kyb'))).toEqual(['insufficient_scope', 'read']);
    expect(decide(operation({}), key())).toEqual(['insufficient_scope', 'read']);
  });

  it('may read in its own area with the scope of the area, and change there only with that scope', () => {
    const screenings = { tag: 'screenings' as Operation['tag'] };
    expect(decide(operation(screenings), key('screening'))).toBe('allowed');
    expect(decide(operation({ tag: 'businesses' as Operation['tag'] }), client('kyb'))).toBe('allowed');
    expect(decide(operation(screenings), key('kyb'))).toEqual(['insufficient_scope', 'read', 'screening']);
    const change = operation({ ...screenings, method: 'post', security: [{ apiKey: ['screening'] }] });
    expect(decide(change, key('screening'))).toBe('allowed');
    expect(decide(change, key('write'))).toEqual(['insufficient_scope', 'screening']);
  });

  it('never does what only people may, whatever its scopes', () => {
    expect(decide(operation({ humanOnly: true }), key('admin'))).toBe('human_required');
    expect(decide(operation({ humanOnly: true }), client('admin'))).toBe('human_required');
  });

  it('that came with a token is told in the way of RFC 6750', () => {
    try {
      authorizer(operation({}))(client('write'));
    } catch (error) {
      expect((error as Problem).headers).toEqual({ 'WWW-Authenticate': 'Bearer realm="api", error="insufficient_scope", scope="read"' });
    }
    expect.assertions(1);
  });
});

describe('a person', () => {
  it('needs one of the roles that the operation names', () => {
    expect(decide(operation({}), user('analyst'))).toBe('allowed');
    expect(decide(operation({}), user('viewer'))).toBe('role_forbidden');
    expect(decide(operation({ humanOnly: true }), user('owner'))).toBe('allowed');
  });
});
