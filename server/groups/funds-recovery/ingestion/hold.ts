import type { Fact } from './fact.ts';
import type { Role } from './record.ts';
import { isoTime, milliseconds } from './time.ts';

const all: ReadonlySet<string> = new Set(['ANALYSED', 'COMPLETED', 'CANCELLED']);
/** The statuses that the directory announces itself, to whom: a counterparty hears of a cancellation only. */
const announced: Readonly<Record<Role, ReadonlySet<string>>> = { SENT: all, BOTH: all, RECEIVED: new Set(['CANCELLED']) };

export interface Held {
  /** What can be published now. */
  readonly due: readonly Fact[];
  /** Since when the others have been known, by status. */
  readonly held: { readonly [status: string]: string };
  readonly heldUntil: number | null;
}

/** How far back the directory lists notifications; for what is older none can come any more. */
const notificationWindow = 7 * 24 * 60 * 60_000;

/** A read that overtakes a notification waits for it, so that the event carries the directory's own words; but not for ever. */
export function holdBack(facts: readonly Fact[], role: Role, heldBefore: { readonly [status: string]: string }, at: number, hold: number): Held {
  const since = new Map<string, number>();
  for (const fact of facts) {
    const { reaches, origin } = fact;
    if (reaches === null || origin === 'NATIVE' || !announced[role].has(reaches) || fact.at + notificationWindow < at) continue;
    const known = heldBefore[reaches];
    since.set(reaches, known === undefined ? at : milliseconds(known));
  }
  const waiting = new Map([...since].filter(([, begun]) => at < begun + hold));
  return {
    due: facts.filter(({ reaches, origin }) => origin === 'NATIVE' || reaches === null || !waiting.has(reaches)),
    held: Object.fromEntries([...waiting].map(([status, begun]) => [status, isoTime(begun)])),
    heldUntil: waiting.size === 0 ? null : Math.min(...waiting.values()) + hold,
  };
}
