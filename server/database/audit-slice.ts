import { setImmediate } from 'node:timers/promises';

const SLICE_MILLISECONDS = 4;

/** Lets long computations give way to requests: awaits nothing while the slice lasts, then a turn of the event loop. */
export function slices(): () => Promise<void> | null {
  let begun = performance.now();
  return () => {
    if (performance.now() - begun < SLICE_MILLISECONDS) return null;
    return setImmediate().then(() => void (begun = performance.now()));
  };
}
