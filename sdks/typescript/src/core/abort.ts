/**
 * Time limits and abort signals of calls. Used by the transport, downloads and feeds. A listener or timer that is not
 * ended would leak or keep a program alive.
 */
import { abortion, type ComplianceOnboardingError } from './errors.ts';

/** Longest delay of a timer: 31 bits, which is 24 days; a longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A time limit combined with a parent signal. */
export interface Limit {
  readonly signal: AbortSignal;
  /**
   * Ends the time limit and, unless a body is still being read, removes the listener from the parent signal, because a
   * signal that outlives many calls must not keep a listener of each.
   */
  readonly end: (isOpen?: boolean) => void;
}

/**
 * Creates a time limit. `AbortSignal.timeout` is unsuitable: its timer does not keep Node alive, so a waiting program
 * could exit early, and it cannot be stopped once the headers of a download have arrived. `AbortSignal.any` is kept in
 * memory as long as its sources live (Node 20 and 22), and a source may live as long as the program.
 */
export function limit(ms: number, expired: () => ComplianceOnboardingError, above?: AbortSignal): Limit {
  const controller = new AbortController();
  const forward = (): void => controller.abort(above?.reason);
  const timer = setTimeout(() => controller.abort(expired()), Math.min(ms, LONGEST_TIMER_MS));
  const leave = above && onAbort(above, forward);
  return {
    signal: controller.signal,
    end: (isOpen) => {
      clearTimeout(timer);
      if (!isOpen) leave?.();
    },
  };
}

/** Callbacks to run when a signal fires. */
class Dependents extends Set<() => void> {
  handleEvent(): void {
    for (const end of this) end();
  }
}

/** Callbacks of each signal that is in use. */
const DEPENDENTS = /* @__PURE__ */ new WeakMap<AbortSignal, Dependents>();

/**
 * Calls `end` once `signal` fires; the returned function cancels this. Any number of calls shares one listener per
 * signal, because Node warns of a leak from the eleventh listener on.
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

/** Waits for `work` until `signal` fires; the work itself continues, because other calls may share it. */
export function until<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject).finally(onAbort(signal, () => reject(abortion(signal))));
  });
}

export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return until(
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    }),
    signal,
  ).finally(() => clearTimeout(timer));
}
