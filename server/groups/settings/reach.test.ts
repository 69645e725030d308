import { describe, expect, it } from 'vitest';
import type { KeyPrincipal, Role, UserPrincipal } from '../../contract/principal.ts';
import { assertMayManage, onlyVisible } from './reach.ts';

const user = (role: Role): UserPrincipal =>
  ({ kind: 'user', tenantId: 't', id: 'u', display: 'U', userId: 'u', role, sessionId: 's', mfa: false, client: 'u', quotaOf: 'u', personalData: 'full' });
const key = (keyEnvironment: 'live' | 'test'): KeyPrincipal =>
  ({ kind: 'api_key', tenantId: 't', id: 'k', display: 'K', prefix: 'k', keyEnvironment, pinEnvironment: false, client: 'k', quotaOf: 'k', personalData: 'full', grantor: { userId: 'u', roles: ['owner', 'owner'] }, scopes: ['admin'] });

describe('managing keys', () => {
  it('is unlimited for owners and live keys', () => {
    for (const caller of [user('owner'), user('admin'), key('live')]) {
      expect(onlyVisible(caller)).toBeNull();
      expect(() => assertMayManage(caller, 'live')).not.toThrow();
    }
  });

  it('is limited to test keys for developers', () => {
    expect(() => assertMayManage(user('developer'), 'test')).not.toThrow();
    expect(() => assertMayManage(user('developer'), 'live')).toThrow('role_forbidden');
  });

  it('by a key that is pinned to live does not reach test keys', () => {
    const pinned = { ...key('live'), pinEnvironment: true };
    expect(onlyVisible(pinned)).toBe('live');
    expect(() => assertMayManage(pinned, 'live')).not.toThrow();
    expect(() => assertMayManage(pinned, 'test')).toThrow('scope_escalation');
  });

  it('by a test key does not reach live keys', () => {
    expect(onlyVisible(key('test'))).toBe('test');
    expect(() => assertMayManage(key('test'), 'test')).not.toThrow();
    expect(() => assertMayManage(key('test'), 'live')).toThrow('scope_escalation');
  });
});
