/**
 * Handlers of the reading operations on recoveries, registered by the index of the module. They find the recovery for
 * the caller, present it and page through lists. Personal data in documents is masked by the presentation.
 */
import { Problem } from '../../contract/problem.ts';
import type { HandlersOf } from '../../request/handler.ts';
import type { Services } from '../../request/services.ts';
import { shown } from '../../rules/mask.ts';
import { consumerOf, directoryView } from '../recovery-feed/index.ts';
import { recoveriesAsCsv } from './export.ts';
import { countsByMonth, recordFilter, recoveryPage } from './find-recoveries.ts';
import { type Due, presentGraph, presentRecord, presentRefund, presentReport } from './present.ts';
import { documentsPage, timelinePage, visibleRecovery } from './read-recoveries.ts';
import { findGraph, type RecordRow } from './read-store.ts';
import { standardStageLimits } from './recovery.ts';
import { readSchedule } from './schedule.ts';

type RecoveryHandlers = Pick<
  HandlersOf<'funds-recovery'>,
  | 'getFundsRecoveryEventSchedule'
  | 'listFundsRecoveries'
  | 'exportFundsRecoveries'
  | 'getFundsRecoveryStatistics'
  | 'getFundsRecovery'
  | 'listFundsRecoveryTimeline'
  | 'listInfractionReports'
  | 'listRefunds'
  | 'getTrackingGraph'
>;

export const recoveryHandlers = ({ database }: Pick<Services, 'database'>): RecoveryHandlers => ({
  getFundsRecoveryEventSchedule: async (ctx) => {
    const { tenantId, environment, id: consumerId } = consumerOf(ctx);
    return ctx.reply(
      200,
      await readSchedule(ctx.tx, {
        tenantId,
        environment,
        consumerId,
        now: ctx.now,
        businessTime: ctx.timeIn(environment),
      }),
    );
  },

  listFundsRecoveries: async (ctx) => ctx.reply(200, await recoveryPage(ctx)),

  exportFundsRecoveries: async (ctx) => {
    const {
      principal: { tenantId },
      query,
      now,
      audit,
      reply,
    } = ctx;
    const filter = await recordFilter(ctx);
    // The tax number stays out of the audit log, because the log is read by people who see persons masked.
    const { taxId, ...filters } = query;
    audit(
      'funds_recovery.exported',
      { type: 'funds_recovery', id: tenantId },
      { filters, byTaxId: taxId !== undefined },
    );
    return reply(200, recoveriesAsCsv(database, tenantId, filter), {
      'Content-Disposition': `attachment; filename="funds-recoveries-${now.toISOString().slice(0, 10)}.csv"`,
    });
  },

  getFundsRecoveryStatistics: async (ctx) => ctx.reply(200, await countsByMonth(ctx)),

  getFundsRecovery: async (ctx) => ctx.reply(200, presentRecord(await visibleRecovery(ctx))),

  listFundsRecoveryTimeline: async (ctx) => ctx.reply(200, await timelinePage(ctx)),

  listInfractionReports: async (ctx) => {
    const record = await visibleRecovery(ctx);
    const due = dueWithin(standardStageLimits.analysis, record);
    const principal = { personalData: await directoryView(ctx.tx, ctx.principal) };
    const present = (report: RecordRow['reports'][number]) =>
      shown('InfractionReport', presentReport(report, due), { principal });
    return ctx.reply(200, await documentsPage(ctx, { record, documents: record.reports, present }));
  },

  listRefunds: async (ctx) => {
    const record = await visibleRecovery(ctx);
    const due = dueWithin(standardStageLimits.refund, record);
    const principal = { personalData: await directoryView(ctx.tx, ctx.principal) };
    const present = (refund: RecordRow['refunds'][number]) =>
      shown('Refund', presentRefund(refund, due), { principal });
    return ctx.reply(200, await documentsPage(ctx, { record, documents: record.refunds, present }));
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
