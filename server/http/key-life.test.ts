import { describe, expect, it } from 'vitest';
import { isAlive, statusAt } from './key-life.ts';

const now = new Date('2026-11-03T12:00:00.000Z');
const [past, present, future] = ['2026-11-03T11:59:59.999Z', '2026-11-03T12:00:00.000Z', '2026-11-03T12:00:00.001Z'];

describe('a key', () => {
  it('works until its end', () => {
    expect(statusAt({ status: 'active', endsAt: null }, now)).toBe('active');
    expect(statusAt({ status: 'active', endsAt: future }, now)).toBe('active');
    expect(statusAt({ status: 'active', endsAt: present }, now)).toBe('expired');
    expect(statusAt({ status: 'rotating', endsAt: future }, now)).toBe('rotating');
    expect(statusAt({ status: 'rotating', endsAt: past }, now)).toBe('expired');
  });

  it('stays revoked, whatever its end', () => {
    for (const endsAt of [null, past, future]) expect(statusAt({ status: 'revoked', endsAt }, now)).toBe('revoked');
  });

  it('is alive while it is being replaced', () => {
    expect(isAlive({ status: 'active', endsAt: null }, now)).toBe(true);
    expect(isAlive({ status: 'rotating', endsAt: future }, now)).toBe(true);
    expect(isAlive({ status: 'rotating', endsAt: past }, now)).toBe(false);
    expect(isAlive({ status: 'revoked', endsAt: null }, now)).toBe(false);
  });
});
