/** Tests of the rules of an API key, without a database. */
import { uuidv7 } from '../../base/uuid.ts';
import { describe, expect, it } from 'vitest';
import type { KeyValidity } from '../../identity/api-key.ts';
import {
  apiKeyDifference,
  type ApiKeyRecord,
  assertAlive,
  assertNotRotating,
  auditFactsOf,
  graceEnd,
  readExpiry,
} from './api-key.ts';

const GRANTOR = uuidv7();

const key: ApiKeyRecord = {
  id: uuidv7(),
  prefix: 'kyc_live_7Hq2ZtK9',
  name: 'Back end',
  environment: 'live',
  scopes: ['read'],
  pinEnvironment: false,
  ipAllowlist: [],
  clientId: 'kyc_live_7Hq2ZtK9',
  quotaClientId: 'kyc_live_7Hq2ZtK9',
  personalData: 'masked',
  grantedBy: GRANTOR,
  grantedRole: 'admin',
  grantorRole: 'admin',
  expiresAt: new Date('2027-01-01T00:00:00Z'),
  status: 'active',
  endsAt: '2027-01-01T00:00:00.000Z',
  graceUntil: null,
  successorPrefix: null,
  createdBy: { type: 'user', id: 'u', display: 'U' },
  lastUsedAt: null,
  lastUsedIp: null,
  usage: { requests24h: 0, errors24h: 0 },
  createdAt: '',
  updatedAt: '',
  version: 1,
};

it('records the permissions and restrictions of a new key', () => {
  expect(auditFactsOf(key)).toEqual({
    name: 'Back end',
    environment: 'live',
    scopes: ['read'],
    pinEnvironment: false,
    personalData: 'masked',
    grantedBy: GRANTOR,
    grantedRole: 'admin',
    ipAllowlist: [],
    expiresAt: '2027-01-01T00:00:00.000Z',
  });
});

it('records only the changed members, with old and new values', () => {
  expect(
    apiKeyDifference(key, {
      ...key,
      scopes: ['read', 'write'],
      expiresAt: null,
      version: 2,
    }),
  ).toEqual({
    old: { scopes: ['read'], expiresAt: '2027-01-01T00:00:00.000Z' },
    new: { scopes: ['read', 'write'], expiresAt: null },
  });
});

const lifeNow = new Date('2026-11-03T12:00:00.000Z');
const [past, future] = ['2026-11-03T11:59:59.999Z', '2026-11-03T12:00:00.001Z'];
const active: KeyValidity = { status: 'active', endsAt: null };
const rotating: KeyValidity = { status: 'rotating', endsAt: future };

describe('a key', () => {
  it('cannot be changed after it has ended', () => {
    expect(() => assertAlive({ ...active, status: 'revoked' }, lifeNow)).toThrow('key_revoked');
    expect(() => assertAlive({ ...active, endsAt: past }, lifeNow)).toThrow('key_revoked');
    expect(() => assertAlive(rotating, lifeNow)).not.toThrow();
  });

  it('cannot be rotated during a rotation', () => {
    expect(() => assertNotRotating(rotating, lifeNow)).toThrow('rotation_in_progress');
    expect(() => assertNotRotating(active, lifeNow)).not.toThrow();
    expect(() => assertNotRotating({ ...rotating, endsAt: past }, lifeNow)).not.toThrow();
  });

  it('has a grace period in hours', () => {
    expect(graceEnd(lifeNow, 48)).toEqual(new Date('2026-11-05T12:00:00.000Z'));
  });
});

const now = new Date('2026-11-03T12:00:00.000Z');

describe('the expiry of a key', () => {
  it('may be absent', () => {
    expect(readExpiry(null, now)).toBeNull();
  });

  it('may be any instant in the next two years', () => {
    expect(readExpiry('2026-11-03T13:00:00.001+01:00', now)).toEqual(new Date('2026-11-03T12:00:00.001Z'));
    expect(readExpiry('2028-11-03T12:00:00.000Z', now)).toEqual(new Date('2028-11-03T12:00:00.000Z'));
  });

  it.each(['2026-11-03T12:00:00.000Z', '2020-01-01T00:00:00Z', '2028-11-03T12:00:00.001Z', '2026-02-30T99:00:00Z'])(
    'is not %s',
    (text) => {
      expect(() => readExpiry(text, now)).toThrow('expiry_in_past');
    },
  );
});
