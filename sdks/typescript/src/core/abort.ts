import { abortion, type ComplianceOnboardingError } from './errors.ts';

/** Timers take 31 bits; a longer one would fire at once. 24 days are no limit. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A time limit joined to the signal above it. */
export interface Limit {
  readonly signal: AbortSignal;
  /** Ends the time limit; the signal above stays in force, for a body that is still read. */
  readonly stop: () => void;
  /** Ends both. A signal that outlives many calls must not keep a listener of each. */
  readonly release: () => void;
}

/**
 * `AbortSignal.timeout` would not do: its timer does not keep Node alive, so a waiting program could exit early, and it
 * cannot be stopped once the headers of a download have arrived. `AbortSignal.any` keeps what it made for as long as
 * its sources live (Node 20 and 22), and a source may live as long as the program.
 */
export function limit(ms: number, expired: () => ComplianceOnboardingError, above?: AbortSignal): Limit {
  const controller = new AbortController();
  const forward = (): void => controller.abort(above?.reason);
  const timer = ms <= LONGEST_TIMER_MS ? setTimeout(() => controller.abort(expired()), ms) : undefined;
  if (above?.aborted) forward();
  above?.addEventListener('abort', forward);
  const stop = (): void => clearTimeout(timer);
  return { signal: controller.signal, stop, release: () => { stop(); above?.removeEventListener('abort', forward); } };
}

/** Waits for `work` but not beyond `signal`; the work itself goes on, since others may share it. */
export function until<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(abortion(signal));
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = new Promise<void>((resolve) => { timer = setTimeout(resolve, ms); });
  return until(pause, signal).finally(() => clearTimeout(timer));
}
