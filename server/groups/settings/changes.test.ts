import { expect, it } from 'vitest';
import type { ApiKeyRecord } from './api-key.ts';
import { difference, factsOf } from './changes.ts';

const key: ApiKeyRecord = {
  id: 'i', prefix: 'kyc_live_7Hq2ZtK9', name: 'Back end', environment: 'live', scopes: ['read'], pinEnvironment: false, ipAllowlist: [],
  clientId: 'kyc_live_7Hq2ZtK9', quotaClientId: 'kyc_live_7Hq2ZtK9', personalData: 'masked', grantedBy: 'u', grantedRole: 'admin', grantorRole: 'admin',
  expiresAt: new Date('2027-01-01T00:00:00Z'), status: 'active', endsAt: '2027-01-01T00:00:00.000Z', graceUntil: null, successorPrefix: null,
  createdBy: { type: 'user', id: 'u', display: 'U' }, lastUsedAt: null, lastUsedIp: null, usage: { requests24h: 0, errors24h: 0 }, createdAt: '', updatedAt: '', version: 1,
};

it('records what a new key may do', () => {
  expect(factsOf(key)).toEqual({
    name: 'Back end', environment: 'live', scopes: ['read'], pinEnvironment: false, personalData: 'masked', grantedBy: 'u', grantedRole: 'admin',
    ipAllowlist: [], expiresAt: '2027-01-01T00:00:00.000Z',
  });
});

it('records only the members that changed, old and new', () => {
  expect(difference(key, { ...key, scopes: ['read', 'write'], expiresAt: null, version: 2 })).toEqual({
    old: { scopes: ['read'], expiresAt: '2027-01-01T00:00:00.000Z' }, new: { scopes: ['read', 'write'], expiresAt: null },
  });
});
