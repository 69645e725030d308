import { describe, expect, it } from 'vitest';
import { expiryNotice } from './key-expiry.ts';

const now = new Date('2026-11-03T12:00:00.000Z');
const key = { status: 'active', expiresAt: null, graceUntil: null } as const;

describe('the notice of the end of a key', () => {
  it('is an HTTP date', () => {
    expect(expiryNotice({ ...key, expiresAt: '2026-11-10T12:30:15.000Z' }, now)).toBe('Tue, 10 Nov 2026 12:30:15 GMT');
  });

  it('is given from thirty days before the end', () => {
    expect(expiryNotice({ ...key, expiresAt: '2026-12-03T12:00:00.001Z' }, now)).toBeNull();
    expect(expiryNotice({ ...key, expiresAt: '2026-12-03T12:00:00.000Z' }, now)).not.toBeNull();
  });

  it('is not given for a key without an end', () => {
    expect(expiryNotice(key, now)).toBeNull();
  });

  it('names the end of the overlap when the key is being replaced, if that comes first', () => {
    const rotating = { status: 'rotating', graceUntil: '2026-11-04T12:00:00.000Z' } as const;
    expect(expiryNotice({ ...rotating, expiresAt: null }, now)).toBe('Wed, 04 Nov 2026 12:00:00 GMT');
    expect(expiryNotice({ ...rotating, expiresAt: '2026-11-04T00:00:00.000Z' }, now)).toBe('Wed, 04 Nov 2026 00:00:00 GMT');
  });
});
