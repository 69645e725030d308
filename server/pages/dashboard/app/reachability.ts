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

async function askAgain(pause: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, pause));
  const ready = await fetch('/readyz', { cache: 'no-store' }).then(({ ok }) => ok, () => false);
  if (ready) return reportReachability(true);
  return askAgain(Math.min(pause * 2, LONGEST_PAUSE_MS));
}
