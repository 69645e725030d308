/**
 * Handlers of the timeline and of the erasure of a business, registered by handlers.ts. Files are removed from storage
 * only after the commit.
 */
import type { AuditRow } from '../../audit/store.ts';
import type { components } from '../../contract/generated/types.ts';
import type { FileStorage } from '../../providers/files/index.ts';
import type { Handlers } from '../../request/handler.ts';
import { listPage } from '../../request/pagination.ts';
import { idOfType, listTimeline, recordsOf, timelineEntry } from '../decisions/index.ts';
import { about } from './audit.ts';
import { eraseBusiness } from './erase.ts';
import { businessLookups as lookup } from './lookup.ts';
import { subjectOf } from './record.ts';

/** Presents an event, with the power that it is about. */
function entryOf(event: AuditRow): components['schemas']['BusinessEvent'] {
  return { ...timelineEntry(event), powerId: idOfType(event, 'power') };
}

export const historyHandlers = ({ files }: { readonly files: FileStorage }) =>
  ({
    listBusinessTimeline: async (ctx) => {
      const { businessId } = ctx.params;
      const page = await listPage(ctx, {
        rows: async ({ after, count }) => {
          const [, about] = await Promise.all([
            lookup(ctx).business(businessId).forReading(),
            recordsOf(ctx.tx, subjectOf({ id: businessId })),
          ]);
          return listTimeline(ctx.tx, { about, after: after && Number(after[0]), count });
        },
        position: ({ sequence }) => [sequence],
        item: entryOf,
      });
      return ctx.reply(200, page);
    },

    eraseBusiness: async (ctx) => {
      const { reason, requestRef = null } = ctx.body;
      const { business, erasedAt, files: left } = await eraseBusiness(ctx);
      ctx.audit('subject.erased', about(business), { reason, requestRef, documents: left.length });
      // If a deletion fails, the hourly sweep removes the file.
      ctx.afterCommit(async () => {
        for (const key of left) await files.delete(key).catch(() => undefined);
      });
      return ctx.reply(202, {
        businessId: business.id,
        reason,
        requestRef,
        documents: left.length,
        erasedAt,
      });
    },
  }) satisfies Pick<Handlers, 'listBusinessTimeline' | 'eraseBusiness'>;
