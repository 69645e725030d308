/**
 * Calls the listeners of an event in the transaction of its cause. Publishers call it through the index;
 * `server/start.ts` registers the listeners. Publishing before that throws, because the effects would be lost silently.
 */
import type { Transaction } from '../../database/index.ts';
import type { SubjectEvent, SubjectListener } from './event.ts';

let registered: readonly SubjectListener[] | null = null;

/** Registers the listeners of all modules, in place of those that were registered before. */
export function registerListeners(listeners: readonly SubjectListener[]): void {
  registered = listeners;
}

/**
 * Calls the listeners of an event, one after the other, in the transaction of its cause. The event is published after
 * the cause is written, so that listeners read the new state. The caller awaits it: if a listener fails, the cause
 * fails.
 */
export async function publish(tx: Transaction, event: SubjectEvent): Promise<void> {
  // A process that publishes without listeners would lose their effects silently.
  if (registered === null) throw new TypeError(`${event.type} is published before listeners are registered`);
  // The listener hears this type, which the compiler does not infer for a union.
  for (const listener of registered) if (listener.event === event.type) await listener.hear(tx, event as never);
}
