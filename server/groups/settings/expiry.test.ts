import { describe, expect, it } from 'vitest';
import { readExpiry } from './expiry.ts';

const now = new Date('2026-11-03T12:00:00.000Z');

describe('the expiry of a key', () => {
  it('may be absent', () => {
    expect(readExpiry(null, now)).toBeNull();
  });

  it('may be any instant of the next two years', () => {
    expect(readExpiry('2026-11-03T13:00:00.001+01:00', now)).toEqual(new Date('2026-11-03T12:00:00.001Z'));
    expect(readExpiry('2028-11-03T12:00:00.000Z', now)).toEqual(new Date('2028-11-03T12:00:00.000Z'));
  });

  it.each(['2026-11-03T12:00:00.000Z', '2020-01-01T00:00:00Z', '2028-11-03T12:00:00.001Z', '2026-02-30T99:00:00Z'])('is not %s', (text) => {
    expect(() => readExpiry(text, now)).toThrow('expiry_in_past');
  });
});
