import type { DisturbNotifications } from './command.ts';
import { notificationId } from './ids.ts';
import type { Fact, Notification, Run } from './model.ts';
import { minute, type Instant } from './time.ts';

/** How late a delayed notification is listed. */
const delay = 5 * minute;

const native: readonly Fact['kind'][] = ['ANALYSED', 'COMPLETED', 'CANCELLED', 'INFORMATION_UPDATED'];
/** What a counterparty hears of; the rest it reads. */
const forCounterparties: readonly Fact['kind'][] = ['CANCELLED', 'INFORMATION_UPDATED'];

/** What the directory tells the tenant's participant of a run. */
export function notificationsOf(run: Run): Notification[] {
  return run.facts.flatMap((fact, index) => {
    const { at, kind } = fact;
    const heard = run.role === 'SENT' ? native : forCounterparties;
    if (run.recovery === null || !heard.includes(kind) || !isNative(kind)) return [];
    const id = notificationId(at, `${run.recovery.id}|${index}`);
    return [{ id, runId: run.runId, participant: run.own, event: kind, entityId: run.recovery.id, at, listedAt: at }];
  });
}

export interface Disturbance extends DisturbNotifications {
  readonly at: Instant;
}

/** Each disturbance takes the next notifications that no earlier one has taken. */
export function disturb(notifications: readonly Notification[], disturbances: readonly Disturbance[]): Notification[] {
  const disturbed = new Map<Notification, Notification>();
  for (const { type, count, at } of disturbances) {
    const next = notifications.filter((notification) => notification.at >= at && !disturbed.has(notification)).slice(0, count);
    for (const notification of next) {
      disturbed.set(notification, { ...notification, listedAt: type === 'DROP_NOTIFICATIONS' ? null : notification.at + delay });
    }
  }
  return notifications.map((notification) => disturbed.get(notification) ?? notification);
}

function isNative(kind: Fact['kind']): kind is Notification['event'] {
  return native.includes(kind);
}
