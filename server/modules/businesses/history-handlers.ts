/**
 * Handlers of the timeline and of the erasure of a business, registered by handlers.ts. Files are removed from storage
 * only after the commit.
 */
import type { AuditRow } from '../../audit/store.ts';
import type { components } from '../../contract/generated/types.ts';
import type { FileStorage } from '../../providers/files/index.ts';
import type { Handlers } from '../../request/handler.ts';
import { type Cursors, DEFAULT_LIMIT, pageOf } from '../../request/pagination.ts';
import { idOfType, listTimeline, recordsOf, timelineEntry } from '../decisions/index.ts';
import { about } from './audit.ts';
import { eraseBusiness } from './erase.ts';
import { businessLookups as lookup } from './lookup.ts';
import { subjectOf } from './record.ts';

/** Presents an event, with the power that it is about. */
function entryOf(event: AuditRow): components['schemas']['BusinessEvent'] {
  return { ...timelineEntry(event), powerId: idOfType(event, 'power') };
}

export const historyHandlers = ({ cursors, files }: { readonly cursors: Cursors; readonly files: FileStorage }) =>
  ({
    listBusinessTimeline: async (ctx) => {
      const { tx, principal, operationId } = ctx;
      const { businessId } = ctx.params;
      const { limit = DEFAULT_LIMIT, cursor } = ctx.query;
      const binding = { tenantId: principal.tenantId, operationId, filters: { businessId } };
      const after = cursor === undefined ? null : Number(cursors.decode(binding, cursor)[0]);
      const [, records] = await Promise.all([
        lookup(ctx).business(businessId).forReading(),
        recordsOf(tx, subjectOf({ id: businessId })),
      ]);
      const rows = await listTimeline(tx, { about: records, after, limit });
      return ctx.reply(
        200,
        pageOf(rows, limit, entryOf, { cursors, binding, positionOf: ({ sequence }) => [sequence] }),
      );
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
