import { useSyncExternalStore } from 'react';

/** Whether the service answers. While it does not, it is asked again, ever more slowly, and every page says so. */
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

/** Whether the service answers now. */
export function answers(): Promise<boolean> {
  return fetch('/readyz', { cache: 'no-store' }).then(({ ok }) => ok, () => false);
}

/** Resolves when the service answers again. */
export async function untilReachable(): Promise<void> {
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
