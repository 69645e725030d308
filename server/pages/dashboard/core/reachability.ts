/**
 * Knows whether the service answers, and waits while it does not. Used by the calls, the session, the cache and the
 * shell. It polls `/readyz` at growing intervals.
 */
import { useSyncExternalStore } from 'react';

/**
 * Tracks whether the service answers. While it does not, it is polled at growing intervals, and every page shows a
 * notice.
 */
const listeners = new Set<() => void>();
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

let reachable = true;

export function reportReachability(now: boolean): void {
  if (now === reachable) return;
  reachable = now;
  listeners.forEach((listener) => listener());
  if (!now) void askAgain(FIRST_PAUSE_MS);
}

export function onReachability(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function isReachable(): boolean {
  return reachable;
}

export function useReachability(): boolean {
  return useSyncExternalStore(onReachability, isReachable);
}

/** Returns whether the service answers now. */
function answers(): Promise<boolean> {
  return fetch('/readyz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Resolves when the service answers again. */
async function untilReachable(): Promise<void> {
  if (reachable) return;
  await new Promise<void>((resolve) => {
    const stop = onReachability(() => {
      if (!reachable) return;
      stop();
      resolve();
    });
  });
}

async function askAgain(pause: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, pause));
  if (await answers()) return reportReachability(true);
  return askAgain(Math.min(pause * 2, LONGEST_PAUSE_MS));
}

/**
 * Loads a part of the dashboard on demand. If the service is unreachable, it waits, because a router or a `lazy` that
 * sees one failure would show nothing else until the whole page is reloaded.
 */
export function part<Module>(load: () => Promise<Module>): () => Promise<Module> {
  const arrival = async (): Promise<Module> => {
    try {
      return await load();
    } catch (error) {
      // A file that is missing although the service answers was replaced by a newer release.
      if (await answers()) throw error;
      reportReachability(false);
      await untilReachable();
      return arrival();
    }
  };
  return arrival;
}
