/** Tells whether two pictures are the same one, although it was stored anew, in another format or size. */
import type { Picture } from '../reader/picture.ts';
import { cut, wholeOf } from './squares.ts';

const SIDE = 32;
/** Mean difference of colours, of 255, up to which pictures are the same. Stored anew, one differs by about 1. */
const MOST_DIFFERENCE = 2;
const SAME_SHAPE = 0.02;

/** Tells whether two pictures have the same shape and the same colours in the same places. */
export function isSame(one: Picture, other: Picture): boolean {
  if (Math.abs(one.width / one.height - other.width / other.height) > SAME_SHAPE) return false;
  const [values, others] = [cut(one, wholeOf(one), SIDE).values, cut(other, wholeOf(other), SIDE).values];
  const sum = values.reduce((total, value, index) => total + Math.abs(value - others[index]!), 0);
  return sum / values.length <= MOST_DIFFERENCE;
}
