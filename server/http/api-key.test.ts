import { describe, expect, it } from 'vitest';
import { API_KEY_SECRETS, generateApiKey, macOfApiKey, parseApiKey, sameMac } from './api-key.ts';

describe('an API key', () => {
  it('has a prefix, a secret and a checksum, and can be told apart from every other text', () => {
    for (const environment of ['live', 'test'] as const) {
      const key = generateApiKey(environment);
      expect(key.secret).toMatch(new RegExp(`^kyc_${environment}_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$`));
      expect(key.secret.startsWith(`${key.prefix}_`)).toBe(true);
      expect(parseApiKey(key.secret)).toEqual(key);
    }
  });

  it('is refused without a look-up when a single character is wrong', () => {
    const { secret } = generateApiKey('live');
    for (let at = 'kyc_live_'.length; at < secret.length; at++) {
      const wrong = secret[at] === 'A' ? 'B' : 'A';
      if (secret[at] !== '_') expect(parseApiKey(secret.slice(0, at) + wrong + secret.slice(at + 1))).toBeNull();
    }
  });

  it.each(['', 'kyc_live_', 'kyc_prod_AAAAAAAA_', `${generateApiKey('live').secret} `, `${generateApiKey('live').secret}\n`])('is not %j', (text) => {
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

  it('loses its secret, but not its prefix, wherever a text is searched for keys', () => {
    const { secret, prefix } = generateApiKey('live');
    expect(`before ${secret} after`.replace(API_KEY_SECRETS, '$1_…')).toBe(`before ${prefix}_… after`);
  });
});
