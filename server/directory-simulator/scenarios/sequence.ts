import type { Role } from '../core/command.ts';
import type { ExpectedEvent } from './scenario.ts';

const names: Readonly<Record<string, string>> = {
  CR: 'CREATED', TR: 'TRACKED', AW: 'AWAITING_ANALYSIS', CA: 'COUNTERPARTY_ANALYSED', AN: 'ANALYSED', RF: 'REFUNDING', RC: 'REFUND_CLOSED',
  CO: 'COMPLETED', CX: 'CANCELLED', IU: 'INFORMATION_UPDATED', 'T-TR': 'TRACKING_TIMED_OUT', 'T-AN': 'ANALYSIS_TIMED_OUT',
  'T-RS': 'REFUND_START_TIMED_OUT', 'T-RF': 'REFUND_TIMED_OUT',
};

/** Reads `CR AW CA(A:AGREED) AN`: events by their initials, the report they are about, how it ended. */
export function sequence(text: string): readonly ExpectedEvent[] {
  return text.split(' ').filter((token) => token !== '').map((token) => {
    const { short = '', of, result } = /^(?<short>[A-Z-]+)(?:\((?<of>[ABC])(?::(?<result>\w+))?\))?$/.exec(token)?.groups ?? {};
    const name = names[short];
    if (name === undefined) throw new Error(`${token} is no step of a sequence`);
    return { eventType: `FUNDS_RECOVERY_${name}`, of: isLabel(of) ? of : null, result: result ?? null };
  });
}

/** The receiver of the root payment sees the report and the refund that are its own, and nothing of the tracking's delay. */
export function seenBy(role: Role, events: readonly ExpectedEvent[]): readonly ExpectedEvent[] {
  if (role === 'SENT') return events;
  return events.filter(({ eventType, of }) => (of === null || of === 'A') && eventType !== 'FUNDS_RECOVERY_TRACKING_TIMED_OUT');
}

function isLabel(text: string | undefined): text is 'A' | 'B' | 'C' {
  return text === 'A' || text === 'B' || text === 'C';
}
