import { describe, expect, it } from 'vitest';
import { clientIpOf, siteOf } from './client-ip.ts';
import { isAllowed } from './ip-allowlist.ts';

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
  it.each([['203.0.113.200', true], ['203.0.114.1', false], ['2001:db8:1::1', true], ['2001:db9::1', false], ['198.51.100.7', true], ['198.51.100.8', false], ['not an address', false]])(
    'answers for %s: %s', (address, allowed) => {
      expect(isAllowed(address, networks)).toBe(allowed);
    });

  it('that is empty allows everybody', () => {
    expect(isAllowed('192.0.2.1', [])).toBe(true);
  });
});
