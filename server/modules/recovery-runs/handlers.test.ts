/** Tests of the durations by which a run may be advanced. */
import { describe, expect, it } from 'vitest';
import { secondsOf } from './handlers.ts';

describe('a duration', () => {
  it.each([
    ['PT1S', 1],
    ['PT72H', 259_200],
    ['P1DT2H3M4S', 93_784],
    ['P400D', 34_560_000],
    ['PT90M', 5400],
    ['P7D', 604_800],
  ])('%s is %i seconds', (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds);
  });

  it.each(['PT0S', 'P0D', 'P400DT1S', 'P9999D', 'PT99999999S'])('%s is too short or too long', (text) => {
    expect(() => secondsOf(text)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        members: { errors: [expect.objectContaining({ pointer: '/by' })] },
      }),
    );
  });
});
