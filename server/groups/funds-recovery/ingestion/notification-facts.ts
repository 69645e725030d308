import type { NotificationDocument, RecoveryDocument } from '../../../providers/directory/index.ts';
import { eventType, statusKey, type Fact } from './fact.ts';
import type { Status } from './status.ts';
import { milliseconds } from './time.ts';

const announced: ReadonlyMap<string, Status> = new Map([
  [eventType('ANALYSED'), 'ANALYSED'], [eventType('COMPLETED'), 'COMPLETED'], [eventType('CANCELLED'), 'CANCELLED'],
]);

/** What the directory announced itself. Names that it introduces later are passed through where the contract can carry them. */
export function notificationFact(ispb: string, recovery: RecoveryDocument, notification: NotificationDocument): Fact {
  return {
    key: notificationKeyOf(ispb, recovery.Id, notification),
    eventType: /^[A-Z0-9_]{1,80}$/.test(notification.Event) ? notification.Event : eventType('INFORMATION_UPDATED'),
    reaches: announced.get(notification.Event) ?? null, at: milliseconds(notification.Timestamp), origin: 'NATIVE',
    documents: { EventNotification: notification, FundsRecovery: recovery },
  };
}

/** A status happens once. Everything else has an identifier, which is unique within a participant only. */
export function notificationKeyOf(ispb: string, recoveryId: string, { Event, Id }: NotificationDocument): string {
  const status = announced.get(Event);
  return status === undefined ? `evt:${ispb}:${Id}` : statusKey(recoveryId, status);
}
