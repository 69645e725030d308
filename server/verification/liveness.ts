/** Checks of the frames of a liveness challenge that need no model. */
import { type Check, check } from './check.ts';

/** Movements of the head that a challenge asks for. */
export type Movement = 'look_left' | 'look_right' | 'look_ahead';

/** Fewest and most frames of a challenge. */
export const FEWEST_FRAMES = 6;
export const MOST_FRAMES = 16;

/**
 * Checks whether frames can be those of a camera. A camera never takes the same picture twice, byte by byte, so equal
 * frames were put in its place.
 */
export function injectionCheck(hashes: readonly string[]): Check<'injection_signals'> {
  const code = 'injection_signals';
  if (hashes.length < FEWEST_FRAMES) return check(code, 'not_run', 'too_few_frames');
  return new Set(hashes).size === hashes.length ? check(code, 'pass') : check(code, 'fail', 'equal_frames');
}
