/** Tests of which scopes a person or key may give to another key. */
import { describe, expect, it } from 'vitest';
import type { KeyPrincipal, Role, Scope, UserPrincipal } from '../../contract/operation.ts';
import {
  assertMayGrant,
  assertMayManage,
  assertNoNewScope,
  covers,
  isItself,
  visibleEnvironmentOf,
  sortedScopes,
} from './delegation.ts';

const userWithRole = (role: Role): UserPrincipal => ({
  kind: 'user',
  tenantId: 't',
  id: 'u',
  display: 'U',
  userId: 'u',
  role,
  sessionId: 's',
  mfa: false,
  client: 'u',
  quotaOf: 'u',
  personalData: 'full',
});
const keyWithScopes = (...scopes: Scope[]): KeyPrincipal => ({
  kind: 'api_key',
  tenantId: 't',
  id: 'k',
  display: 'K',
  prefix: 'kyc_live_AAAAAAAA',
  keyEnvironment: 'live',
  pinEnvironment: false,
  client: 'k',
  quotaOf: 'k',
  personalData: 'full',
  grantor: { userId: 'u', roles: ['owner', 'owner'] },
  scopes,
});

describe('scopes', () => {
  it('are sorted and without duplicates', () => {
    expect(sortedScopes(['write', 'admin', 'read', 'write'])).toEqual(['admin', 'read', 'write']);
  });

  it('are all included in admin, and otherwise not in each other', () => {
    expect(covers(['admin'], 'kyb')).toBe(true);
    expect(covers(['write'], 'read')).toBe(false);
  });
});

describe('granting scopes', () => {
  it.each(['owner', 'admin'] as const)('is unlimited for the role %s', (role) => {
    expect(() => assertMayGrant(userWithRole(role), ['admin', 'read'])).not.toThrow();
  });

  it('stops short of admin for a developer', () => {
    expect(() => assertMayGrant(userWithRole('developer'), ['read', 'write', 'kyb', 'screening'])).not.toThrow();
    expect(() => assertMayGrant(userWithRole('developer'), ['admin'])).toThrow('scope_escalation');
  });

  it('is limited to the scopes of the granting key', () => {
    expect(() => assertMayGrant(keyWithScopes('admin'), ['kyb'])).not.toThrow();
    expect(() => assertMayGrant(keyWithScopes('read', 'write'), ['read', 'kyb'])).toThrow('scope_escalation');
  });
});

describe('a key', () => {
  it('is the caller directly and through its tokens', () => {
    expect(isItself(keyWithScopes('admin'), 'kyc_live_AAAAAAAA')).toBe(true);
    expect(isItself({ ...keyWithScopes('admin'), kind: 'oauth_client' }, 'kyc_live_AAAAAAAA')).toBe(true);
    expect(isItself(keyWithScopes('admin'), 'kyc_live_BBBBBBBB')).toBe(false);
    expect(isItself(userWithRole('owner'), 'kyc_live_AAAAAAAA')).toBe(false);
  });

  it('may narrow itself and not widen itself', () => {
    expect(() => assertNoNewScope(['admin', 'read'], ['read'])).not.toThrow();
    expect(() => assertNoNewScope(['admin'], ['admin', 'read'])).toThrow('self_widening_forbidden');
  });
});

const user = (role: Role): UserPrincipal => ({
  kind: 'user',
  tenantId: 't',
  id: 'u',
  display: 'U',
  userId: 'u',
  role,
  sessionId: 's',
  mfa: false,
  client: 'u',
  quotaOf: 'u',
  personalData: 'full',
});
const key = (keyEnvironment: 'live' | 'test'): KeyPrincipal => ({
  kind: 'api_key',
  tenantId: 't',
  id: 'k',
  display: 'K',
  prefix: 'k',
  keyEnvironment,
  pinEnvironment: false,
  client: 'k',
  quotaOf: 'k',
  personalData: 'full',
  grantor: { userId: 'u', roles: ['owner', 'owner'] },
  scopes: ['admin'],
});

describe('managing keys', () => {
  it('is unlimited for owners and live keys', () => {
    for (const caller of [user('owner'), user('admin'), key('live')]) {
      expect(visibleEnvironmentOf(caller)).toBeNull();
      expect(() => assertMayManage(caller, 'live')).not.toThrow();
    }
  });

  it('is limited to test keys for developers', () => {
    expect(() => assertMayManage(user('developer'), 'test')).not.toThrow();
    expect(() => assertMayManage(user('developer'), 'live')).toThrow('role_forbidden');
  });

  it('by a key that is pinned to live does not reach test keys', () => {
    const pinned = { ...key('live'), pinEnvironment: true };
    expect(visibleEnvironmentOf(pinned)).toBe('live');
    expect(() => assertMayManage(pinned, 'live')).not.toThrow();
    expect(() => assertMayManage(pinned, 'test')).toThrow('scope_escalation');
  });

  it('by a test key does not reach live keys', () => {
    expect(visibleEnvironmentOf(key('test'))).toBe('test');
    expect(() => assertMayManage(key('test'), 'test')).not.toThrow();
    expect(() => assertMayManage(key('test'), 'live')).toThrow('scope_escalation');
  });
});
