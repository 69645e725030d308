/** Tests of the address of a client behind proxies, of its network, and of allowlists. */
import { describe, expect, it } from 'vitest';
import { clientIpOf, isAllowed, siteOf } from './client-address.ts';

describe('the address of a client', () => {
  it.each([
    ['10.0.0.1', undefined, 0, '10.0.0.1'],
    ['::ffff:10.0.0.1', undefined, 0, '10.0.0.1'],
    ['10.0.0.1', '203.0.113.9', 0, '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1, 203.0.113.9', 1, '203.0.113.9'],
    ['10.0.0.1', '198.51.100.1, 203.0.113.9, 10.0.0.2', 2, '203.0.113.9'],
    ['10.0.0.1', '2001:db8::1', 1, '2001:db8::1'],
    ['10.0.0.1', '203.0.113.9', 2, '10.0.0.1'],
    ['10.0.0.1', 'unknown', 1, '10.0.0.1'],
    ['10.0.0.1', '', 1, '10.0.0.1'],
    ['2001:db8::7', undefined, 1, '2001:db8::7'],
  ])('from %s, forwarded for %j, with %i trusted proxies is %s', (socket, forwarded, hops, expected) => {
    expect(clientIpOf(socket, forwarded, hops)).toBe(expected);
  });
});

describe('the site of an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8::1', '20010db800000000::/64'],
    ['2001:DB8:0:0:ffff::7', '20010db800000000::/64'],
    ['2001:db8:0:1::1', '20010db800000001::/64'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['', ''],
  ])('%j is %j', (address, site) => expect(siteOf(address)).toBe(site));
});

describe('an allowlist', () => {
  const networks = ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7/32'];
  it.each([
    ['203.0.113.200', true],
    ['203.0.114.1', false],
    ['2001:db8:1::1', true],
    ['2001:db9::1', false],
    ['198.51.100.7', true],
    ['198.51.100.8', false],
    ['not an address', false],
  ])('answers for %s: %s', (address, allowed) => {
    expect(isAllowed(address, networks)).toBe(allowed);
  });

  it('allows every address if it is empty', () => {
    for (const address of ['192.0.2.1', '203.0.113.9', '2001:db8::1', 'unknown'])
      expect(isAllowed(address, [])).toBe(true);
  });

  it('allows addresses in one of its networks', () => {
    const networks = ['203.0.113.0/24', '198.51.100.7/32', '2001:db8::/32'];
    for (const address of ['203.0.113.0', '203.0.113.255', '198.51.100.7', '2001:db8:ffff::1'])
      expect([address, isAllowed(address, networks)]).toEqual([address, true]);
    for (const address of ['203.0.112.255', '203.0.114.0', '198.51.100.8', '2001:db9::1', '::1', ''])
      expect([address, isAllowed(address, networks)]).toEqual([address, false]);
  });

  it('of one address family does not match the other', () => {
    expect(isAllowed('203.0.113.9', ['::/0'])).toBe(false);
    expect(isAllowed('2001:db8::1', ['::/0'])).toBe(true);
    expect(isAllowed('2001:db8::1', ['0.0.0.0/0'])).toBe(false);
    expect(isAllowed('203.0.113.9', ['0.0.0.0/0'])).toBe(true);
  });
});
