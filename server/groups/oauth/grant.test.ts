import { describe, expect, it } from 'vitest';
import type { KeyRecord } from '../../http/credentials-store.ts';
import { OAuthError } from '../../http/oauth-error.ts';
import { grant } from './grant.ts';

const now = new Date('2026-11-03T12:00:00.000Z');
const key: KeyRecord = {
  tenantId: 't', tenantStatus: 'active', sandboxEnabled: false, sandboxClockOffsetSeconds: 0, tenantRatePerMinute: null, id: 'k', prefix: 'kyc_live_7Hq2ZtK9', name: 'Key', environment: 'live',
  scopes: ['read', 'write'], pinEnvironment: false, ipAllowlist: [], secretMac: Buffer.alloc(32), status: 'active', endsAt: null,
  clientId: 'kyc_live_7Hq2ZtK9', quotaClientId: 'kyc_live_7Hq2ZtK9', personalData: 'masked', grantedBy: 'u', grantedRole: 'admin', grantorRole: 'viewer',
};

function refusal(changes: Partial<KeyRecord>, scope?: string): string {
  try {
    grant({ ...key, ...changes }, scope, '198.51.100.1', now);
    return 'granted';
  } catch (error) {
    return (error as OAuthError).code;
  }
}

describe('an authenticated client', () => {
  it('gets the scopes of its key', () => {
    expect(grant(key, undefined, '198.51.100.1', now)).toEqual(['read', 'write']);
  });

  it.each<[string, Partial<KeyRecord>]>([
    ['is revoked', { status: 'revoked' }],
    ['has expired', { endsAt: '2026-11-03T12:00:00.000Z' }],
    ['was rotated out', { status: 'rotating', endsAt: '2026-11-03T11:59:59.999Z' }],
    ['belongs to a suspended tenant', { tenantStatus: 'suspended' }],
    ['belongs to a closed tenant', { tenantStatus: 'closed' }],
    ['may not be used from this address', { ipAllowlist: ['203.0.113.0/24'] }],
  ])('is invalid when its key %s', (_, changes) => {
    expect(refusal(changes)).toBe('invalid_client');
  });

  it('of the sandbox needs the sandbox to be on', () => {
    expect(refusal({ environment: 'test' })).toBe('unauthorized_client');
    expect(refusal({ environment: 'test', sandboxEnabled: true })).toBe('granted');
  });

  it('needs somebody who answers for it', () => {
    expect(refusal({ grantorRole: null })).toBe('unauthorized_client');
  });

  it('cannot get a scope that its key lacks', () => {
    expect(refusal({}, 'admin')).toBe('invalid_scope');
  });
});
