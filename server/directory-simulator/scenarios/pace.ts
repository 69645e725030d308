import type { Pace } from '../core/command.ts';
import { hour, second } from '../core/time.ts';

/**
 * Milliseconds of an hour of the field. `stepped` takes the hours that they take, which pass when the clock is advanced;
 * `realtime` unfolds within two minutes while one watches; `instant` is over in a moment. Limits keep their length.
 */
const hourOf: Readonly<Record<Pace, number>> = { instant: 1, realtime: 2 * second, stepped: hour };

/** @returns so many hours of the field at this pace, in milliseconds */
export function paced(pace: Pace, hours: number): number {
  return Math.max(1, Math.round(hours * hourOf[pace]));
}
