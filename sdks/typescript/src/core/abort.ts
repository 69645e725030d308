import { abortion, TimeoutError } from './errors.ts';

/** Timers take 31 bits; a longer one would fire at once. 24 days are no limit. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A time limit joined to the signals above it. `clear` ends the limit and leaves the signals above in force. */
export interface Limit {
  readonly signal: AbortSignal;
  readonly clear: () => void;
}

/**
 * `AbortSignal.timeout` would not do: its timer does not keep Node alive, so a waiting program could exit early, and it
 * cannot be cleared once the headers of a download have arrived.
 */
export function limit(ms: number, message: string, above?: AbortSignal): Limit {
  const controller = new AbortController();
  const timer = ms <= LONGEST_TIMER_MS ? setTimeout(() => controller.abort(new TimeoutError(message)), ms) : undefined;
  return {
    signal: above ? AbortSignal.any([above, controller.signal]) : controller.signal,
    clear: () => clearTimeout(timer),
  };
}

/** Waits for `work` but not beyond `signal`; the work itself goes on, since others may share it. */
export function until<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(abortion(signal));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = new Promise<void>((resolve) => { timer = setTimeout(resolve, ms); });
  return until(pause, signal).finally(() => clearTimeout(timer));
}
