import type { HandlersOf, Principal } from '../../contract/handlers.ts';
import type { Services } from '../../services.ts';
import { Problem } from '../../http/problem.ts';
import { FeedCursors } from './feed-cursor.ts';
import { payloads } from './payloads/handlers.ts';
import { payloadView, type PayloadView } from './payloads/visible.ts';
import { readFeed } from './read-feed.ts';
import { recoveries } from './recoveries/handlers.ts';
import type { EventRow } from './store.ts';

export const fundsRecovery = (services: Services) => {
  const cursors = new FeedCursors(services.secrets.deriveKey('feed cursor'));
  return {
    listFundsRecoveryEvents: async ({ tx, principal, environment, query, now, timeIn, reply }) => {
      const consumer = { tenantId: principal.tenantId, environment, id: consumerId(principal) };
      const [page, show] = await Promise.all([
        readFeed(tx, cursors, { consumer, cursor: query.cursor, limit: query.limit ?? 100, now, businessTime: timeIn(environment) }),
        payloadView(tx, principal.tenantId),
      ]);
      return reply(200, { events: page.events.map((row) => toEvent(row, show)), cursor: page.cursor, hasMore: page.hasMore }, {
        'X-Poll-Interval': page.pollSeconds,
        'X-Next-Poll-At': new Date(now.getTime() + page.pollSeconds * 1000).toISOString(),
      });
    },
    getFundsRecoverySchedule: async () => { throw new Problem('not_found'); },
    getFundsRecoveryPosition: async () => { throw new Problem('not_found'); },
    acknowledgeFundsRecoveryEvents: async () => { throw new Problem('not_found'); },
    ...recoveries(services),
    ...payloads,
  } satisfies HandlersOf<'funds-recovery'>;
};

/** Rotating a secret keeps the client id, hence the position; a person has a position of their own. */
function consumerId(principal: Principal<'listFundsRecoveryEvents'>): string {
  return principal.kind === 'user' ? `user:${principal.userId}` : `client:${principal.prefix}`;
}

function toEvent(row: EventRow, show: PayloadView) {
  return {
    eventId: row.event_id,
    fundsRecoveryId: row.funds_recovery_id,
    eventType: row.event_type,
    status: row.status,
    timestamp: row.occurred_at,
    rawPayload: show(row.raw_payload),
  };
}
