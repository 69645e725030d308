import { describe, expect, it } from 'vitest';
import { Problem } from '../../http/problem.ts';
import { assertLetsIn, assertNetworks, isWider } from './allowlist.ts';

describe('an allowlist', () => {
  it('is refused with a pointer to every entry that is no network', () => {
    try {
      assertNetworks(['203.0.113.0/24', '203.0.113.1/24', '::/129']);
      expect.unreachable();
    } catch (error) {
      expect((error as Problem).code).toBe('invalid_cidr');
      expect((error as Problem).members.errors?.map(({ pointer }) => pointer)).toEqual(['/ipAllowlist/1', '/ipAllowlist/2']);
    }
  });

  it('must let its caller in', () => {
    expect(() => assertLetsIn(['203.0.113.0/24'], '203.0.113.9')).not.toThrow();
    expect(() => assertLetsIn([], '198.51.100.1')).not.toThrow();
    expect(() => assertLetsIn(['203.0.113.0/24'], '198.51.100.1')).toThrow('allowlist_locks_out_caller');
  });

  it('is wider when it lets in an address that was kept out', () => {
    expect(isWider(['203.0.113.0/24'], ['203.0.113.0/25', '203.0.113.128/25'])).toBe(false);
    expect(isWider(['203.0.113.0/24'], ['203.0.112.0/23'])).toBe(true);
    expect(isWider(['203.0.113.0/24'], [])).toBe(true);
    expect(isWider([], ['203.0.113.0/24'])).toBe(false);
  });
});
