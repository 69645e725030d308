/** Tests of reading the credentials of a client from a token request. */
import { uuidv7 } from '../../base/uuid.ts';
import { describe, expect, it } from 'vitest';
import { OAuthError } from '../../contract/problem.ts';
import type { KeyRecord } from '../../identity/store.ts';
import { clientCredentials, type ClientForm, grantedScopes, grantScopes } from './client-credentials.ts';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const form = (members: ClientForm = {}): ClientForm => members;

describe('client credentials', () => {
  it('are read from HTTP Basic', () => {
    expect(clientCredentials(basic('id:secret'), form())).toEqual({ id: 'id', secret: 'secret' });
    expect(clientCredentials(basic('id:secret').replace('Basic', 'bASIC'), form())).toEqual({
      id: 'id',
      secret: 'secret',
    });
  });

  it('are form-encoded before they are base64-encoded', () => {
    expect(clientCredentials(basic('a%3Ab:c+d%25'), form())).toEqual({ id: 'a:b', secret: 'c d%' });
  });

  it('preserve colons in the secret', () => {
    expect(clientCredentials(basic('id:a:b'), form())).toEqual({ id: 'id', secret: 'a:b' });
  });

  it('are read from the form', () => {
    expect(clientCredentials(undefined, form({ client_id: 'id', client_secret: 'secret' }))).toEqual({
      id: 'id',
      secret: 'secret',
    });
  });

  it('may repeat the same client_id beside HTTP Basic, and no other', () => {
    expect(clientCredentials(basic('id:secret'), form({ client_id: 'id' }))).toEqual({ id: 'id', secret: 'secret' });
    expect(() => clientCredentials(basic('id:secret'), form({ client_id: 'other' }))).toThrow('invalid_request');
  });

  it('are rejected if they are sent in two places', () => {
    expect(() => clientCredentials(basic('id:secret'), form({ client_id: 'id', client_secret: 'secret' }))).toThrow(
      'invalid_request',
    );
    expect(() => clientCredentials(basic('id:secret'), form({ client_secret: 'secret' }))).toThrow('invalid_request');
  });

  it.each([
    'Basic',
    'Basic ',
    'Basic !!!',
    'Basic aWQ',
    'Basic aWQ6c2VjcmV0 extra',
    'Basic aWQ6c2V=cmV0',
    basic(':secret'),
    basic('no colon'),
    basic('id:%zz'),
  ])('cannot be read from %j', (authorization) => {
    expect(() => clientCredentials(authorization, form())).toThrow('invalid_request');
  });

  it.each(['Bearer abc', 'Digest username=x', ''])(
    'of another scheme (%j) are no client authentication',
    (authorization) => {
      expect(() => clientCredentials(authorization, form())).toThrow('invalid_client');
    },
  );

  it('are no client authentication if both are missing; one missing half is a missing parameter', () => {
    expect(() => clientCredentials(undefined, form())).toThrow('invalid_client');
    expect(() => clientCredentials(undefined, form({ client_id: '', client_secret: '' }))).toThrow('invalid_client');
    expect(() => clientCredentials(undefined, form({ client_id: 'id' }))).toThrow('invalid_request');
    expect(() => clientCredentials(undefined, form({ client_secret: 'secret' }))).toThrow('invalid_request');
  });
});

describe('the granted scope', () => {
  it('is every scope of the key if the request names none', () => {
    expect(grantedScopes(undefined, ['write', 'read'])).toEqual(['read', 'write']);
    expect(grantedScopes('', ['write', 'read'])).toEqual(['read', 'write']);
  });

  it('is the requested scope, sorted and without repetition', () => {
    expect(grantedScopes('write read write', ['read', 'write', 'kyb'])).toEqual(['read', 'write']);
  });

  it('may be any scope for a key with admin, which includes the others', () => {
    expect(grantedScopes('read', ['admin'])).toEqual(['read']);
  });

  it.each(['nonsense', 'READ', 'read  write', ' read', 'read ', 'read\twrite', 'read "', '__proto__', 'kyb'])(
    'is refused if %j is requested for a key with read',
    (scope) => {
      expect(() => grantedScopes(scope, ['read', 'write'])).toThrow('invalid_scope');
    },
  );
});

const now = new Date('2026-11-03T12:00:00.000Z');
const key: KeyRecord = {
  tenantId: 't',
  tenantStatus: 'active',
  sandboxEnabled: false,
  sandboxClockOffsetSeconds: 0,
  tenantRatePerMinute: null,
  id: 'k',
  prefix: 'kyc_live_7Hq2ZtK9',
  name: 'Key',
  environment: 'live',
  scopes: ['read', 'write'],
  pinEnvironment: false,
  ipAllowlist: [],
  secretMac: Buffer.alloc(32),
  status: 'active',
  endsAt: null,
  clientId: 'kyc_live_7Hq2ZtK9',
  quotaClientId: 'kyc_live_7Hq2ZtK9',
  personalData: 'masked',
  grantedBy: uuidv7(),
  grantedRole: 'admin',
  grantorRole: 'viewer',
};

function refusal(changes: Partial<KeyRecord>, scope?: string): string {
  try {
    grantScopes({ ...key, ...changes }, scope, '198.51.100.1', now);
    return 'granted';
  } catch (error) {
    return (error as OAuthError).code;
  }
}

describe('an authenticated client', () => {
  it('gets the scopes of its key', () => {
    expect(grantScopes(key, undefined, '198.51.100.1', now)).toEqual(['read', 'write']);
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

  it('of the sandbox is refused unless the sandbox is enabled', () => {
    expect(refusal({ environment: 'test' })).toBe('unauthorized_client');
    expect(refusal({ environment: 'test', sandboxEnabled: true })).toBe('granted');
  });

  it('is refused without a grantor', () => {
    expect(refusal({ grantorRole: null })).toBe('unauthorized_client');
  });

  it('cannot get a scope that its key lacks', () => {
    expect(refusal({}, 'admin')).toBe('invalid_scope');
  });
});
