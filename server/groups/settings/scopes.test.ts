import { describe, expect, it } from 'vitest';
import type { KeyPrincipal, Role, Scope, UserPrincipal } from '../../contract/principal.ts';
import { assertMayGrant, assertNoNewScope, covers, isItself, sortedScopes } from './scopes.ts';

const user = (role: Role): UserPrincipal =>
  ({ kind: 'user', tenantId: 't', id: 'u', display: 'U', userId: 'u', role, sessionId: 's', mfa: false, client: 'u', quotaOf: 'u', personalData: 'full' });
const key = (...scopes: Scope[]): KeyPrincipal =>
  ({ kind: 'api_key', tenantId: 't', id: 'k', display: 'K', prefix: 'kyc_live_AAAAAAAA', keyEnvironment: 'live', pinEnvironment: false, client: 'k', quotaOf: 'k', personalData: 'full', grantor: { userId: 'u', roles: ['owner', 'owner'] }, scopes });

describe('scopes', () => {
  it('are sorted and without repetition', () => {
    expect(sortedScopes(['write', 'admin', 'read', 'write'])).toEqual(['admin', 'read', 'write']);
  });

  it('are all included in admin, and otherwise not in each other', () => {
    expect(covers(['admin'], 'kyb')).toBe(true);
    expect(covers(['write'], 'read')).toBe(false);
  });
});

describe('granting scopes', () => {
  it.each(['owner', 'admin'] as const)('is unlimited for the role %s', (role) => {
    expect(() => assertMayGrant(user(role), ['admin', 'read'])).not.toThrow();
  });

  it('stops short of admin for a developer', () => {
    expect(() => assertMayGrant(user('developer'), ['read', 'write', 'kyb', 'screening'])).not.toThrow();
    expect(() => assertMayGrant(user('developer'), ['admin'])).toThrow('scope_escalation');
  });

  it('is limited to what a key has', () => {
    expect(() => assertMayGrant(key('admin'), ['kyb'])).not.toThrow();
    expect(() => assertMayGrant(key('read', 'write'), ['read', 'kyb'])).toThrow('scope_escalation');
  });
});

describe('a key', () => {
  it('is itself directly and by its tokens', () => {
    expect(isItself(key('admin'), 'kyc_live_AAAAAAAA')).toBe(true);
    expect(isItself({ ...key('admin'), kind: 'oauth_client' }, 'kyc_live_AAAAAAAA')).toBe(true);
    expect(isItself(key('admin'), 'kyc_live_BBBBBBBB')).toBe(false);
    expect(isItself(user('owner'), 'kyc_live_AAAAAAAA')).toBe(false);
  });

  it('may narrow and not widen itself', () => {
    expect(() => assertNoNewScope(['admin', 'read'], ['read'])).not.toThrow();
    expect(() => assertNoNewScope(['admin'], ['admin', 'read'])).toThrow('self_widening_forbidden');
  });
});
