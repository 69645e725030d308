import { describe, expect, it } from 'vitest';
import { isAllowed } from './ip-allowlist.ts';

describe('an allowlist', () => {
  it('lets everybody in when it is empty', () => {
    for (const address of ['203.0.113.9', '2001:db8::1', 'unknown']) expect(isAllowed(address, [])).toBe(true);
  });

  it('lets in who is in one of its networks', () => {
    const networks = ['203.0.113.0/24', '198.51.100.7/32', '2001:db8::/32'];
    for (const address of ['203.0.113.0', '203.0.113.255', '198.51.100.7', '2001:db8:ffff::1']) expect([address, isAllowed(address, networks)]).toEqual([address, true]);
    for (const address of ['203.0.112.255', '203.0.114.0', '198.51.100.8', '2001:db9::1', '::1', '']) expect([address, isAllowed(address, networks)]).toEqual([address, false]);
  });

  it('of one family has no room for the other', () => {
    expect(isAllowed('203.0.113.9', ['::/0'])).toBe(false);
    expect(isAllowed('2001:db8::1', ['::/0'])).toBe(true);
    expect(isAllowed('2001:db8::1', ['0.0.0.0/0'])).toBe(false);
    expect(isAllowed('203.0.113.9', ['0.0.0.0/0'])).toBe(true);
  });
});
