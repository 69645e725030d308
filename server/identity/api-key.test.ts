/** Tests of the format and the state of API keys, and of the notice before a key ends. */
import { describe, expect, it } from 'vitest';
import { each } from '../../test/support/each.ts';
import { expiryNotice, generateApiKey, isUsable, macOfApiKey, parseApiKey, sameMac, statusAt } from './api-key.ts';

describe('an API key', () => {
  it('has a prefix, a secret and a checksum, and is distinguishable from any other text', () => {
    for (const environment of ['live', 'test'] as const) {
      const key = generateApiKey(environment);
      expect(key.secret).toMatch(new RegExp(`^kyc_${environment}_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$`));
      expect(key.secret.startsWith(`${key.prefix}_`)).toBe(true);
      expect(parseApiKey(key.secret)).toEqual(key);
    }
  });

  it('is refused without a look-up if a single character is wrong', () => {
    const { secret } = generateApiKey('live');
    for (const at of each(
      Array.from(secret, (_, index) => index).filter((index) => index >= 'kyc_live_'.length && secret[index] !== '_'),
    )) {
      const wrong = secret[at] === 'A' ? 'B' : 'A';
      expect(parseApiKey(secret.slice(0, at) + wrong + secret.slice(at + 1))).toBeNull();
    }
  });

  it.each([
    '',
    'kyc_live_',
    'kyc_prod_AAAAAAAA_',
    `${generateApiKey('live').secret} `,
    `${generateApiKey('live').secret}\n`,
  ])('is not %j', (text) => {
    expect(parseApiKey(text)).toBeNull();
  });

  it('never repeats', () => {
    expect(new Set(Array.from({ length: 1000 }, () => generateApiKey('live').prefix)).size).toBe(1000);
  });

  it('is recognised by its MAC under the pepper, and by no other', () => {
    const { secret } = generateApiKey('test');
    const mac = macOfApiKey(Buffer.alloc(32, 1), secret);
    expect(sameMac(mac, macOfApiKey(Buffer.alloc(32, 1), secret))).toBe(true);
    expect(sameMac(mac, macOfApiKey(Buffer.alloc(32, 2), secret))).toBe(false);
    expect(sameMac(mac, mac.subarray(1))).toBe(false);
  });
});

const now = new Date('2026-11-03T12:00:00.000Z');
const [past, present, future] = ['2026-11-03T11:59:59.999Z', '2026-11-03T12:00:00.000Z', '2026-11-03T12:00:00.001Z'];

describe('a key', () => {
  it('is usable until its end', () => {
    expect(statusAt({ status: 'active', endsAt: null }, now)).toBe('active');
    expect(statusAt({ status: 'active', endsAt: future }, now)).toBe('active');
    expect(statusAt({ status: 'active', endsAt: present }, now)).toBe('expired');
    expect(statusAt({ status: 'rotating', endsAt: future }, now)).toBe('rotating');
    expect(statusAt({ status: 'rotating', endsAt: past }, now)).toBe('expired');
  });

  it('stays revoked, whatever its end date is', () => {
    for (const endsAt of [null, past, future]) expect(statusAt({ status: 'revoked', endsAt }, now)).toBe('revoked');
  });

  it('is usable while it is being rotated', () => {
    expect(isUsable({ status: 'active', endsAt: null }, now)).toBe(true);
    expect(isUsable({ status: 'rotating', endsAt: future }, now)).toBe(true);
    expect(isUsable({ status: 'rotating', endsAt: past }, now)).toBe(false);
    expect(isUsable({ status: 'revoked', endsAt: null }, now)).toBe(false);
  });
});

const expiryCheckedAt = new Date('2026-11-03T12:00:00.000Z');

describe('the notice of the end of a key', () => {
  it('is an HTTP date', () => {
    expect(expiryNotice({ endsAt: '2026-11-10T12:30:15.000Z' }, expiryCheckedAt)).toBe('Tue, 10 Nov 2026 12:30:15 GMT');
  });

  it('is sent from thirty days before the end', () => {
    expect(expiryNotice({ endsAt: '2026-12-03T12:00:00.001Z' }, expiryCheckedAt)).toBeNull();
    expect(expiryNotice({ endsAt: '2026-12-03T12:00:00.000Z' }, expiryCheckedAt)).not.toBeNull();
  });

  it('is not sent for a key without an end', () => {
    expect(expiryNotice({ endsAt: null }, expiryCheckedAt)).toBeNull();
  });
});
