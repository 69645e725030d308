import type { HandlersOf } from '../../../contract/handlers.ts';
import { Problem } from '../../../http/problem.ts';
import type { Services } from '../../../services.ts';
import { standardLimits } from '../ingestion/index.ts';
import { visibleRecovery } from './access.ts';
import { documentsPage } from './documents-page.ts';
import { presentGraph } from './graph.ts';
import { listPage } from './list-page.ts';
import { presentRecord, presentRefund, presentReport, type Due } from './present.ts';
import { findGraph, type RecordRow } from './store.ts';
import { timelinePage } from './timeline.ts';

type Recoveries = Pick<HandlersOf<'funds-recovery'>,
  'listFundsRecoveries' | 'getFundsRecovery' | 'listFundsRecoveryTimeline' | 'listInfractionReports' | 'listRefunds' | 'getTrackingGraph'>;

export const recoveries = ({ cursors }: Pick<Services, 'cursors'>): Recoveries => ({
  listFundsRecoveries: async (ctx) => ctx.reply(200, await listPage(ctx, cursors)),

  getFundsRecovery: async (ctx) => ctx.reply(200, presentRecord(await visibleRecovery(ctx))),

  listFundsRecoveryTimeline: async (ctx) => ctx.reply(200, await timelinePage(ctx, cursors)),

  listInfractionReports: async (ctx) => {
    const record = await visibleRecovery(ctx);
    const due = dueWithin(standardLimits.analysis, record);
    return ctx.reply(200, documentsPage(ctx, record, record.reports, (report) => presentReport(report, due), cursors));
  },

  listRefunds: async (ctx) => {
    const record = await visibleRecovery(ctx);
    const due = dueWithin(standardLimits.refund, record);
    return ctx.reply(200, documentsPage(ctx, record, record.refunds, (refund) => presentRefund(refund, due), cursors));
  },

  getTrackingGraph: async (ctx) => {
    const { env, funds_recovery_id: id } = await visibleRecovery(ctx);
    const [row] = await ctx.tx.run(findGraph, { tenantId: ctx.principal.tenantId, env, id });
    if (row?.graph == null) throw new Problem('not_found');
    return ctx.reply(200, presentGraph(row.graph));
  },
});

function dueWithin(limit: number, { status }: RecordRow): Due {
  return { limit, isOver: status === 'COMPLETED' || status === 'CANCELLED' };
}
