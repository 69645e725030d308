/**
 * Handlers of reading, acknowledging and asking for the position in the feed, registered by the index of the module.
 * Payloads are masked for each reader when read, not when stored.
 */
import type { HandlersOf } from '../../request/handler.ts';
import type { Services } from '../../request/services.ts';
import { acknowledgeUpTo, consumerOf, readConsumerPosition } from './consumer.ts';
import { FeedCursors } from './cursor.ts';
import { payloadView, readFeed, toEvent } from './read-feed.ts';

type FeedHandlers = Pick<
  HandlersOf<'funds-recovery'>,
  'listFundsRecoveryEvents' | 'getFundsRecoveryEventPosition' | 'acknowledgeFundsRecoveryEvents'
>;

export const recoveryFeedHandlers = ({ secrets }: Pick<Services, 'secrets'>): FeedHandlers => {
  const cursors = new FeedCursors(secrets.deriveKey('feed cursor'));
  return {
    listFundsRecoveryEvents: async (ctx) => {
      const { tx, principal, environment, query, now, timeIn, reply } = ctx;
      const [page, show] = await Promise.all([
        readFeed(tx, cursors, {
          consumer: consumerOf(ctx),
          cursor: query.cursor,
          limit: query.limit ?? 100,
          now,
          businessTime: timeIn(environment),
        }),
        payloadView(tx, principal),
      ]);
      return reply(
        200,
        {
          events: page.events.map((row) => toEvent(row, environment, show)),
          cursor: page.cursor,
          hasMore: page.hasMore,
        },
        {
          'X-Poll-Interval': page.pollSeconds,
          'X-Next-Poll-At': new Date(now.getTime() + page.pollSeconds * 1000).toISOString(),
        },
      );
    },

    getFundsRecoveryEventPosition: async (ctx) => ctx.reply(200, await readConsumerPosition(ctx.tx, consumerOf(ctx))),

    acknowledgeFundsRecoveryEvents: async (ctx) => {
      const consumer = consumerOf(ctx);
      ctx.setResourceEnvironment(ctx.environment);
      const moved = await acknowledgeUpTo(ctx.tx, cursors, { consumer, cursor: ctx.body.cursor, now: ctx.now });
      if (moved !== null)
        ctx.audit('funds_recovery.events_acknowledged', { type: 'funds_recovery_consumer', id: consumer.id }, moved);
      return ctx.reply(204);
    },
  };
};
