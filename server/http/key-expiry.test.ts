import { describe, expect, it } from 'vitest';
import { expiryNotice } from './key-expiry.ts';

const now = new Date('2026-11-03T12:00:00.000Z');

describe('the notice of the end of a key', () => {
  it('is an HTTP date', () => {
    expect(expiryNotice({ endsAt: '2026-11-10T12:30:15.000Z' }, now)).toBe('Tue, 10 Nov 2026 12:30:15 GMT');
  });

  it('is given from thirty days before the end', () => {
    expect(expiryNotice({ endsAt: '2026-12-03T12:00:00.001Z' }, now)).toBeNull();
    expect(expiryNotice({ endsAt: '2026-12-03T12:00:00.000Z' }, now)).not.toBeNull();
  });

  it('is not given for a key without an end', () => {
    expect(expiryNotice({ endsAt: null }, now)).toBeNull();
  });
});
