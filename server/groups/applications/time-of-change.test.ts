import { describe, expect, it } from 'vitest';
import { timeOfChange } from './time-of-change.ts';

describe('the time of a change', () => {
  const before = '2026-11-03T12:10:00.000Z';
  it('is now', () => expect(timeOfChange(new Date('2026-11-03T12:11:00Z'), before)).toBe('2026-11-03T12:11:00.000Z'));
  it('is after the change before, even when the clock is not', () => {
    for (const now of [before, '2026-11-03T12:09:00Z']) expect(timeOfChange(new Date(now), before)).toBe('2026-11-03T12:10:00.001Z');
  });
});
