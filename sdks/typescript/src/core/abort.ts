import { abortion, type ComplianceOnboardingError } from './errors.ts';

/** Timers take 31 bits, which is 24 days; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A time limit joined to the signal above it. */
export interface Limit {
  readonly signal: AbortSignal;
  /**
   * Ends the time limit and, unless a body is still read, leaves the signal above: one that outlives many calls must not keep a listener
   * of each.
   */
  readonly end: (isOpen?: boolean) => void;
}

/**
 * `AbortSignal.timeout` would not do: its timer does not keep Node alive, so a waiting program could exit early, and it
 * cannot be stopped once the headers of a download have arrived. `AbortSignal.any` keeps what it made for as long as
 * its sources live (Node 20 and 22), and a source may live as long as the program.
 */
export function limit(ms: number, expired: () => ComplianceOnboardingError, above?: AbortSignal): Limit {
  const controller = new AbortController();
  const forward = (): void => controller.abort(above?.reason);
  const timer = setTimeout(() => controller.abort(expired()), Math.min(ms, LONGEST_TIMER_MS));
  const leave = above && onAbort(above, forward);
  return { signal: controller.signal, end: (isOpen) => { clearTimeout(timer); if (!isOpen) leave?.(); } };
}

/** What ends with a signal. */
class Dependents extends Set<() => void> {
  handleEvent(): void {
    for (const end of this) end();
  }
}

/** Of each signal that is in use. */
const DEPENDENTS = /* @__PURE__ */ new WeakMap<AbortSignal, Dependents>();

/**
 * Calls `end` once `signal` fires; what is returned takes that back. However many calls share a signal, it has one listener: from the
 * eleventh on Node warns of a leak.
 */
export function onAbort(signal: AbortSignal, end: () => void): () => void {
  if (signal.aborted) end();
  const all = DEPENDENTS.get(signal) ?? new Dependents();
  if (all.size === 0) signal.addEventListener('abort', all);
  DEPENDENTS.set(signal, all.add(end));
  return () => {
    all.delete(end);
    if (all.size === 0) signal.removeEventListener('abort', all);
  };
}

/** Waits for `work` but not beyond `signal`; the work itself goes on, since others may share it. */
export function until<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject).finally(onAbort(signal, () => reject(abortion(signal))));
  });
}

export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return until(new Promise<void>((resolve) => { timer = setTimeout(resolve, ms); }), signal).finally(() => clearTimeout(timer));
}
