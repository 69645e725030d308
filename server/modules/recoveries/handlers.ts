import { Problem } from '../../contract/problem.ts';
import type { HandlersOf } from '../../request/handler.ts';
import type { Services } from '../../request/services.ts';
import { consumerOf } from '../recovery-feed/index.ts';
import { type Due, presentGraph, presentRecord, presentRefund, presentReport } from './present.ts';
import { documentsPage, listPage, timelinePage, visibleRecovery } from './read-recoveries.ts';
import { standardStageLimits } from './recovery.ts';
import { readSchedule } from './schedule.ts';
import { findGraph, type RecordRow } from './store.ts';

type RecoveryHandlers = Pick<HandlersOf<'funds-recovery'>,
  'getFundsRecoveryEventSchedule' | 'listFundsRecoveries' | 'getFundsRecovery' | 'listFundsRecoveryTimeline' | 'listInfractionReports' | 'listRefunds' | 'getTrackingGraph'>;

export const recoveryHandlers = ({ cursors }: Pick<Services, 'cursors'>): RecoveryHandlers => ({
  getFundsRecoveryEventSchedule: async (ctx) => {
    const { tenantId, environment, id: consumerId } = consumerOf(ctx);
    return ctx.reply(200, await readSchedule(ctx.tx, { tenantId, environment, consumerId, now: ctx.now, businessTime: ctx.timeIn(environment) }));
  },

  listFundsRecoveries: async (ctx) => ctx.reply(200, await listPage(ctx, cursors)),

  getFundsRecovery: async (ctx) => ctx.reply(200, presentRecord(await visibleRecovery(ctx))),

  listFundsRecoveryTimeline: async (ctx) => ctx.reply(200, await timelinePage(ctx, cursors)),

  listInfractionReports: async (ctx) => {
    const record = await visibleRecovery(ctx);
    const due = dueWithin(standardStageLimits.analysis, record);
    return ctx.reply(200, documentsPage(ctx, record, record.reports, (report) => presentReport(report, due), cursors));
  },

  listRefunds: async (ctx) => {
    const record = await visibleRecovery(ctx);
    const due = dueWithin(standardStageLimits.refund, record);
    return ctx.reply(200, documentsPage(ctx, record, record.refunds, (refund) => presentRefund(refund, due), cursors));
  },

  getTrackingGraph: async (ctx) => {
    const { environment, id } = await visibleRecovery(ctx);
    const [row] = await ctx.tx.run(findGraph, { tenantId: ctx.principal.tenantId, environment, id });
    if (row?.graph == null) throw new Problem('not_found');
    return ctx.reply(200, presentGraph(row.graph));
  },
});

function dueWithin(limit: number, { status }: RecordRow): Due {
  return { limit, isOver: status === 'COMPLETED' || status === 'CANCELLED' };
}
