/** Tests of the networks from which a key may be used. */
import { describe, expect, it } from 'vitest';
import { Problem } from '../../contract/problem.ts';
import { assertAdmitsCaller, assertNetworks, contains, isWider, type Network, parseNetwork } from './allowlist.ts';

const network = (text: string): Network => parseNetwork(text) as Network;
const host = (ip: string): Network => network(`${ip}/${ip.includes(':') ? 128 : 32}`);

describe('a network', () => {
  it.each([
    '203.0.113.0/24',
    '0.0.0.0/0',
    '203.0.113.7/32',
    '10.0.0.0/7',
    '2001:db8::/32',
    '::/0',
    '::1/128',
    'fe80::/10',
    '64:ff9b::192.0.2.0/120',
  ])('may be %s', (text) => {
    expect(parseNetwork(text)).not.toBeNull();
  });

  it.each([
    '203.0.113.0',
    '203.0.113.0/',
    '203.0.113.0/33',
    '203.0.113.0/024',
    '203.0.113/24',
    '256.0.0.0/8',
    '2001:db8::/129',
    '2001:db8:::/32',
    ':/8',
    'a/8',
    '/8',
    '1.2.3.4/-1',
  ])('is not %s', (text) => {
    expect(parseNetwork(text)).toBeNull();
  });

  it.each(['203.0.113.1/24', '10.0.0.0/6', '2001:db8::1/64', '1.0.0.0/0'])('has no host bits, unlike %s', (text) => {
    expect(parseNetwork(text)).toBeNull();
  });

  it('contains its addresses and its subnetworks', () => {
    expect(contains(network('203.0.113.0/24'), host('203.0.113.255'))).toBe(true);
    expect(contains(network('203.0.113.0/24'), host('203.0.114.0'))).toBe(false);
    expect(contains(network('203.0.112.0/20'), network('203.0.113.0/24'))).toBe(true);
    expect(contains(network('203.0.113.0/24'), network('203.0.112.0/20'))).toBe(false);
    expect(contains(network('2001:db8::/32'), host('2001:db8:ffff::1'))).toBe(true);
    expect(contains(network('0.0.0.0/0'), host('::1'))).toBe(false);
    expect(contains(network('0.0.0.0/0'), host('192.0.2.1'))).toBe(true);
  });

  it('is not an IPv4-mapped IPv6 network, which would match no client', () => {
    expect(parseNetwork('::ffff:203.0.113.0/120')).toBeNull();
    expect(parseNetwork('::ffff:cb00:7100/120')).toBeNull();
  });
});

describe('an allowlist', () => {
  it('is rejected with a pointer to every entry that is not a network', () => {
    try {
      assertNetworks(['203.0.113.0/24', '203.0.113.1/24', '::/129']);
      expect.unreachable();
    } catch (error) {
      expect((error as Problem).code).toBe('invalid_cidr');
      expect((error as Problem).members.errors?.map(({ pointer }) => pointer)).toEqual([
        '/ipAllowlist/1',
        '/ipAllowlist/2',
      ]);
    }
  });

  it('must admit its caller', () => {
    expect(() => assertAdmitsCaller(['203.0.113.0/24'], '203.0.113.9')).not.toThrow();
    expect(() => assertAdmitsCaller([], '198.51.100.1')).not.toThrow();
    expect(() => assertAdmitsCaller(['203.0.113.0/24'], '198.51.100.1')).toThrow('allowlist_locks_out_caller');
  });

  it('is wider if it admits an address that was excluded', () => {
    expect(isWider(['203.0.113.0/24'], ['203.0.113.0/25', '203.0.113.128/25'])).toBe(false);
    expect(isWider(['203.0.113.0/24'], ['203.0.112.0/23'])).toBe(true);
    expect(isWider(['203.0.113.0/24'], [])).toBe(true);
    expect(isWider([], ['203.0.113.0/24'])).toBe(false);
  });
});
