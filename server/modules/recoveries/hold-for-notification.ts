/**
 * Decides how long an event waits for the notification that carries the directory's own document, without input or
 * output. Used by derive.ts. The wait is bounded, because a notification may never arrive.
 */
import { DAY_MILLISECONDS } from '../../base/time.ts';
import { type Fact, isoTime, type Role, toMilliseconds } from './recovery.ts';

const statusChanges: ReadonlySet<string> = new Set(['ANALYSED', 'COMPLETED', 'CANCELLED']);
/**
 * Statuses that the directory sends notifications about, by the role of the participant. A counterparty is notified of
 * a cancellation only.
 */
const announcedTo: Readonly<Record<Role, ReadonlySet<string>>> = {
  SENT: statusChanges,
  BOTH: statusChanges,
  RECEIVED: new Set(['CANCELLED']),
};

interface Held {
  /** Facts that can be published now. */
  readonly due: readonly Fact[];
  /** Time from which each of the other statuses has been known, by status. */
  readonly held: { readonly [status: string]: string };
  readonly heldUntil: number | null;
}

/** How far back the directory lists notifications. No notification of an older fact can arrive any more. */
const notificationWindow = 7 * DAY_MILLISECONDS;

/**
 * Delays an event if a read shows a new status before its notification has arrived, so that the event carries the
 * directory's own document. The delay is at most `hold` milliseconds.
 */
export function holdForNotification(
  facts: readonly Fact[],
  role: Role,
  heldBefore: { readonly [status: string]: string },
  { at, hold }: { readonly at: number; readonly hold: number },
): Held {
  const since = new Map<string, number>();
  for (const fact of facts) {
    const { reaches, origin } = fact;
    if (reaches === null || origin === 'NATIVE' || !announcedTo[role].has(reaches) || fact.at + notificationWindow < at)
      continue;
    const known = heldBefore[reaches];
    since.set(reaches, known === undefined ? at : toMilliseconds(known));
  }
  const waiting = new Map([...since].filter(([, start]) => at < start + hold));
  return {
    due: facts.filter(({ reaches, origin }) => origin === 'NATIVE' || reaches === null || !waiting.has(reaches)),
    held: Object.fromEntries([...waiting].map(([status, start]) => [status, isoTime(start)])),
    heldUntil: waiting.size === 0 ? null : Math.min(...waiting.values()) + hold,
  };
}
