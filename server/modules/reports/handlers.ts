/**
 * Handlers of the operations on reports, registered by the index of the module. Each writes its event to the sealed
 * audit log, to which the request layer has bound the transaction.
 */
import { CheckpointSigner } from '../../audit/checkpoint.ts';
import type { BusinessTime } from '../../base/time.ts';
import type { Secrets } from '../../base/secrets.ts';
import type { components } from '../../contract/generated/types.ts';
import type { SealedOperationId } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { type Context, type Handlers, withBodyRules, withPreparation } from '../../request/handler.ts';
import { environmentPage, filtersOf, type Page } from '../../request/pagination.ts';
import { etagOf } from '../../request/preconditions.ts';
import { instantParameter } from '../../request/query.ts';
import { LogVerifier, searchLog, type VerifierDependencies } from '../audit-log/index.ts';
import { contentDisposition, type Inspector, type Verdict } from '../documents/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { addReportDocument, changeReport, recordFiling, updateErrors } from './change-report.ts';
import { createErrors, createReport, declareNonOccurrence } from './create-report.ts';
import { listReportDocuments, readReportDocument } from './document-store.ts';
import { lookup } from './lookup.ts';
import { present, presentInList } from './present.ts';
import { listReports, type ReportRecord } from './store.ts';
import { submissionFile } from './texts.ts';

type Schemas = components['schemas'];

const about = ({ id }: { readonly id: string }) => ({ type: 'report', id }) as const;

async function whole(tx: Transaction, record: ReportRecord, at: BusinessTime): Promise<Schemas['Report']> {
  return present(record, await listReportDocuments(tx, record), at);
}

async function reportPage(ctx: Context<'listReports'>): Promise<Page<Schemas['Report']>> {
  const { tx, query, timeIn } = ctx;
  const { status = [], kind = [], caseId, late } = query;
  return environmentPage(ctx, {
    rows: ({ environment, after, count }) =>
      listReports(tx, {
        environment,
        statuses: status,
        kinds: kind,
        caseId,
        late,
        dueBefore: instantParameter('dueBefore', query.dueBefore),
        at: timeIn(environment),
        after,
        count,
      }),
    position: ({ createdAt, id }) => [createdAt, id],
    item: (row) => presentInList(row, timeIn(row.environment)),
  });
}

/** Returns the file for submission of a report that is to be filed, or is. */
async function submissionOf(ctx: Context<'downloadReportSubmission'>) {
  const { tx, principal, params } = ctx;
  const found = await lookup(ctx).report(params.reportId).forReading();
  if (found.status !== 'decided_report' && found.status !== 'filed') throw new Problem('report_not_decided');
  const [{ reports: settings }, documents] = await Promise.all([
    readSettings(tx, principal.tenantId),
    listReportDocuments(tx, found),
  ]);
  const attached = await Promise.all(
    documents.map(async (document) => ({ ...document, bytes: await readReportDocument(tx, found, document.id) })),
  );
  return { found, ...submissionFile(settings, found, attached) };
}

interface Dependencies extends VerifierDependencies {
  readonly inspector: Inspector;
  readonly secrets: Secrets;
}

export const reportHandlers = ({ inspector, secrets, ...dependencies }: Dependencies) => {
  const verifier = new LogVerifier(dependencies, new CheckpointSigner(secrets), 'sealed');
  return {
    createReport: withBodyRules<'createReport'>(createErrors, async (ctx) => {
      const record = await createReport(ctx);
      ctx.audit('report.created', about(record), { kind: record.kind, caseId: record.caseId });
      const shown = await whole(ctx.tx, record, ctx.timeIn(record.environment));
      return ctx.reply(201, shown, { Location: `/v1/cases/reports/${record.id}` });
    }),

    declareNonOccurrenceReport: async (ctx) => {
      const record = await declareNonOccurrence(ctx);
      ctx.audit('report.created', about(record), { kind: record.kind, year: record.year });
      const shown = await whole(ctx.tx, record, ctx.timeIn(record.environment));
      return ctx.reply(201, shown, { Location: `/v1/cases/reports/${record.id}` });
    },

    listReports: async (ctx) => ctx.reply(200, await reportPage(ctx)),

    getReport: async (ctx) => {
      const found = await lookup(ctx).report(ctx.params.reportId).forReading();
      ctx.audit('report.viewed', about(found));
      const shown = await whole(ctx.tx, found, ctx.timeIn(found.environment));
      return ctx.reply(200, shown, { ETag: etagOf(found.version) });
    },

    updateReport: withBodyRules<'updateReport'>(updateErrors, async (ctx) => {
      const { after, members, isDecided, at } = await changeReport(ctx);
      if (isDecided) ctx.audit('report.decided', about(after), { status: after.status, members });
      else ctx.audit('report.updated', about(after), { members });
      return ctx.reply(200, await whole(ctx.tx, after, at), { ETag: etagOf(after.version) });
    }),

    uploadReportDocument: withPreparation<'uploadReportDocument', Verdict>(
      ({ principal, files: { file } }) => inspector.inspect(principal.tenantId, file.bytes, file.declaredType),
      async (ctx, verdict) => {
        const { report, document } = await addReportDocument(ctx, verdict);
        ctx.audit('report.document_added', about(report), { documentId: document.id, sha256: document.sha256 });
        return ctx.reply(201, document, { Location: `/v1/cases/reports/${report.id}` });
      },
    ),

    fileReport: async (ctx) => {
      const { after, at } = await recordFiling(ctx);
      ctx.audit('report.filed', about(after), { filedAt: after.filedAt });
      return ctx.reply(200, await whole(ctx.tx, after, at), { ETag: etagOf(after.version) });
    },

    downloadReportSubmission: async (ctx) => {
      const { found, type, fileName, data } = await submissionOf(ctx);
      ctx.audit('report.exported', about(found));
      return ctx.reply(200, { type, data, size: data.length }, { 'Content-Disposition': contentDisposition(fileName) });
    },

    listReportAuditEvents: async (ctx) => {
      const { principal, query } = ctx;
      const page = await searchLog(ctx);
      // A search is one event, however many pages are read.
      if (query.cursor === undefined)
        ctx.audit('audit.viewed', { type: 'audit_log', id: principal.tenantId }, { filters: filtersOf(query) });
      return ctx.reply(200, page);
    },

    verifyReportAuditEvents: async (ctx) => {
      const found = await verifier.verify(ctx);
      const { valid, checked, checkpointsChecked } = found;
      if (valid)
        ctx.audit('audit.verified', { type: 'audit_log', id: ctx.principal.tenantId }, { checked, checkpointsChecked });
      return ctx.reply(200, found);
    },
  } satisfies Pick<Handlers, SealedOperationId>;
};
