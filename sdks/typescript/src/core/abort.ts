import { abortion, TimeoutError } from './errors.ts';

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
  const timer = Number.isFinite(ms) ? setTimeout(() => controller.abort(new TimeoutError(message)), Math.max(0, ms)) : undefined;
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
