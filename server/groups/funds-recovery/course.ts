import type { NewEvent } from './publish.ts';

interface Step {
  readonly eventType: string;
  readonly status: NewEvent['status'];
}

const step = (name: string, status: string): Step => ({ eventType: `FUNDS_RECOVERY_${name}`, status });

/** A recovery that succeeds, as the directory tells it. */
const COURSE: readonly Step[] = [
  step('CREATED', 'CREATED'), step('TRACKED', 'TRACKED'), step('AWAITING_ANALYSIS', 'AWAITING_ANALYSIS'), step('ANALYSED', 'ANALYSED'),
  step('REFUNDING', 'REFUNDING'), step('COMPLETED', 'COMPLETED'),
];

/** What follows in the usual course; null once the recovery has ended. Without a status it has not begun. */
export function stepAfter(status: string | null): Step | null {
  const index = COURSE.findIndex((at) => at.status === status);
  return (status !== null && index === -1 ? null : COURSE[index + 1]) ?? null;
}

/** The status after an event. One that leads to no status of its own, or that nobody knows yet, leaves it as it is. */
export function statusAfter(eventType: string, status: string | null): string {
  const known = [...COURSE, step('CANCELLED', 'CANCELLED')].find((at) => at.eventType === eventType);
  return known?.status ?? status ?? 'CREATED';
}
