/**
 * The event feed of a tenant's recoveries, one for each environment: an append-only sequence without holes that
 * consumers read by cursor. A consumer is a client or a person; each reads and acknowledges separately, with delivery
 * at least once (docs/decisions/0006-one-way-into-the-feed.md).
 *
 * The module owns `fr_feed` (the head of each feed), `fr_event`, `fr_consumer` and `fr_recovery` (the phase that each
 * recovery has reached, from which the polling interval follows). It may use tenant-settings and rules, and knows
 * nothing of the directory: the module that learns of a change passes a `NewEvent`.
 *
 * `GET /api/v1/funds-recovery/events` as an example: `handlers.ts` derives the consumer from the caller
 * (`consumer.ts`); `readFeed` (`read-feed.ts`) verifies the cursor (`cursor.ts`), reads the head, the events after the
 * position and the most urgent open recovery (`store.ts`), acknowledges everything up to the cursor, and derives from
 * the urgency when to poll again (`poll-schedule.ts`); the handler masks the payloads according to the tenant's
 * settings and replies. Events are added by `publishEvents` (`publish.ts`), and a periodic job checks whether a feed
 * has a gap or is not read (`health.ts`).
 */
import type { Module } from '../../tasks/module.ts';
import { recoveryFeedHandlers } from './handlers.ts';
import { jobs } from './jobs.ts';

export { consumerOf } from './consumer.ts';
export { FeedCursors } from './cursor.ts';
export { FeedAlarm } from './feed-alarm.ts';
export { cadence, spreadOf } from './poll-schedule.ts';
export { readPollFacts } from './poll-store.ts';
export { type NewEvent, publishEvents } from './publish.ts';
export { checkFeedMarker, endAllCursors } from './restored.ts';
export { cutPage, directoryView, payloadView, readFeed, toEvent } from './read-feed.ts';
export { lockHead, purgeBatch, retentionDays, storedEvent, type StoredEventRow } from './store.ts';
export { consumer, event, feed, recovery } from './tables.ts';

export const recoveryFeedModule = {
  name: 'recovery-feed',
  handlers: recoveryFeedHandlers,
  jobs,
} satisfies Module<never>;
