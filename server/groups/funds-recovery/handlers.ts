import type { HandlersOf, Principal } from '../../contract/handlers.ts';
import type { Services } from '../../services.ts';
import { Problem } from '../../http/problem.ts';
import { FeedCursors } from './feed-cursor.ts';
import { readFeed } from './read-feed.ts';
import { recoveries } from './recoveries/handlers.ts';
import type { EventRow } from './store.ts';

export const fundsRecovery = (services: Services) => {
  const cursors = new FeedCursors(services.secrets.deriveKey('feed cursor'));
  return {
    listFundsRecoveryEvents: async ({ tx, principal, environment, query, now, timeIn, reply }) => {
      const consumer = { tenantId: principal.tenantId, environment, id: consumerId(principal) };
      const page = await readFeed(tx, cursors, { consumer, cursor: query.cursor, limit: query.limit ?? 100, now, businessTime: timeIn(environment) });
      return reply(200, { events: page.events.map(toEvent), cursor: page.cursor, hasMore: page.hasMore }, {
        'X-Poll-Interval': page.pollSeconds,
        'X-Next-Poll-At': new Date(now.getTime() + page.pollSeconds * 1000).toISOString(),
      });
    },
    getFundsRecoverySchedule: async () => { throw new Problem('not_found'); },
    getFundsRecoveryPosition: async () => { throw new Problem('not_found'); },
    acknowledgeFundsRecoveryEvents: async () => { throw new Problem('not_found'); },
    ...recoveries(services),
  } satisfies HandlersOf<'funds-recovery'>;
};

/** Rotating a secret keeps the client id, hence the position; a person has a position of their own. */
function consumerId(principal: Principal<'listFundsRecoveryEvents'>): string {
  return principal.kind === 'user' ? `user:${principal.userId}` : `client:${principal.prefix}`;
}

function toEvent(row: EventRow) {
  return {
    eventId: row.event_id,
    fundsRecoveryId: row.funds_recovery_id,
    eventType: row.event_type,
    status: row.status,
    timestamp: row.occurred_at,
    rawPayload: row.raw_payload,
  };
}
