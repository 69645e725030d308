/** How a report is changed, decided, given documents and filed. */
import { isDeepStrictEqual } from 'node:util';
import { type BusinessTime, readBusinessTime, readStatedTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Context, ValidPart } from '../../request/handler.ts';
import { assertMatch } from '../../request/preconditions.ts';
import { type JsonValue, mergePatchKeepingNull, withoutNulls } from '../../rules/merge-patch.ts';
import { safeFileName, type Verdict } from '../documents/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { assertPast, dayMissing } from './create-report.ts';
import { businessDaysFrom, daysFrom } from './deadlines.ts';
import { insertReportDocument, listReportDocuments } from './document-store.ts';
import { lookup } from './lookup.ts';
import { scheduleOf } from './schedule.ts';
import { type ReportContent, type ReportRecord, saveReport } from './store.ts';

type Schemas = components['schemas'];

/** Lists the errors of a patch that its schema does not express: a decision has its reasons. */
export function updateErrors({ decision, decisionNote }: ValidPart<Schemas['ReportUpdate']>): FieldError[] {
  if ((decision === undefined) === (decisionNote === undefined)) return [];
  return decision === undefined
    ? [{ pointer: '/decision', code: 'required', message: 'must be sent with the reasons of the decision' }]
    : [{ pointer: '/decisionNote', code: 'required', message: 'must be sent with the decision' }];
}

/** A changed report, the members that differ, and whether it was decided. */
interface Changed {
  readonly after: ReportRecord;
  readonly members: readonly string[];
  readonly isDecided: boolean;
  readonly at: BusinessTime;
}

/** Applies a merge patch to a report that is not filed; `decision` ends its analysis. */
export async function changeReport(ctx: Context<'updateReport'>): Promise<Changed> {
  const { tx, principal, params, headers, body, resultFaults } = ctx;
  const errors = updateErrors(body);
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
  const before = await lookup(ctx).report(params.reportId).forChange();
  assertMatch(headers['if-match'], before.version);
  const { decision, decisionNote, ...patch } = body;
  assertOpen(before);
  if (decision !== undefined && before.status !== 'draft') throw new Problem('report_decided');
  const at = ctx.timeIn(before.environment);
  const content = patched(before.content, patch, decisionNote);
  const faults = [
    ...(patch.amount === undefined ? [] : resultFaults(withoutNulls({ amount: content.amount }) as object)),
    ...(before.kind === 'cash_operation' && content.operationOn === null ? [dayMissing] : []),
  ];
  if (faults.length > 0) throw new Problem('validation_failed', { errors: faults });
  assertPast(content.operationOn, at);
  const { reports: settings } = await readSettings(tx, principal.tenantId);
  const dates = {
    ...datesAfter(before, content, settings),
    ...(decision !== undefined && { decidedAt: at.toISOString() }),
    ...(decision === 'report' && { reportDueAt: businessDaysFrom(at, settings.suspiciousBusinessDays).toISOString() }),
  };
  const status = decision === undefined ? before.status : (`decided_${decision}` as const);
  const changed = {
    ...before,
    ...dates,
    status,
    content,
  };
  const after = await saveReport(tx, { ...changed, ...scheduleOf(changed) }, at);
  const members = (Object.keys(content) as (keyof ReportContent)[]).filter(
    (member) => !isDeepStrictEqual(content[member], before.content[member]),
  );
  return {
    after,
    members,
    isDecided: decision !== undefined,
    at,
  };
}

type ContentPatch = Omit<Schemas['ReportUpdate'], 'decision' | 'decisionNote'>;

function patched(before: ReportContent, { parties, ...patch }: ContentPatch, decisionNote?: string): ReportContent {
  return {
    ...(mergePatchKeepingNull(before as unknown as JsonValue, patch as JsonValue) as unknown as ReportContent),
    ...(parties !== undefined && { parties: parties.map((party) => ({ ...party, taxId: party.taxId ?? null })) }),
    ...(decisionNote !== undefined && { decisionNote }),
  };
}

/** Returns the deadlines that are counted from the day of the operation, if that changes. */
function datesAfter(
  before: ReportRecord,
  { operationOn }: ReportContent,
  settings: Schemas['ReportSettings'],
): Partial<Pick<ReportRecord, 'selectionDueAt' | 'reportDueAt'>> {
  if (operationOn === before.content.operationOn) return {};
  if (before.kind === 'cash_operation')
    return { reportDueAt: businessDaysFrom(operationOn!, settings.cashBusinessDays).toISOString() };
  if (before.kind === 'non_occurrence') return {};
  return {
    selectionDueAt: operationOn === null ? null : daysFrom(operationOn, settings.selectionDays).toISOString(),
  };
}

/** Throws if nothing of the report changes any more. */
function assertOpen({ status }: ReportRecord): void {
  if (status === 'filed') throw new Problem('report_filed');
  if (status === 'decided_no_report') throw new Problem('report_decided');
}

/** Records the filing of a decided report with the authority. */
export async function recordFiling(ctx: Context<'fileReport'>): Promise<{ after: ReportRecord; at: BusinessTime }> {
  const { tx, params, headers, body } = ctx;
  const before = await lookup(ctx).report(params.reportId).forChange();
  assertMatch(headers['if-match'], before.version);
  if (before.status === 'filed') throw new Problem('report_filed');
  if (before.status !== 'decided_report') throw new Problem('report_not_decided');
  if (before.kind !== 'non_occurrence' && before.content.narrative === null) throw new Problem('narrative_required');
  const at = ctx.timeIn(before.environment);
  const filedAt = body.filedAt === undefined ? at : statedFiling(body.filedAt, before, at);
  const filed = {
    ...before,
    status: 'filed' as const,
    filedAt: filedAt.toISOString(),
    content: { ...before.content, protocol: body.protocol },
  };
  return { after: await saveReport(tx, { ...filed, ...scheduleOf(filed) }, at), at };
}

/** Reads the time of a filing, which is between the decision and now. */
function statedFiling(text: string, { decidedAt }: ReportRecord, at: BusinessTime): BusinessTime {
  const refused = (code: string, message: string): Problem =>
    new Problem('validation_failed', { errors: [{ pointer: '/filedAt', code, message }] });
  const filedAt = readStatedTime(text);
  if (filedAt === null) throw refused('format', 'must be a timestamp as in RFC 3339');
  if (filedAt > at) throw refused('maximum', 'must not be in the future');
  if (decidedAt !== null && filedAt < readBusinessTime(decidedAt))
    throw refused('minimum', 'must not be before the decision');
  return filedAt;
}

const MAX_DOCUMENTS = 10;
const MAX_BYTES = 20 * 1024 * 1024;

/** Adds an inspected file to a report that is not filed. */
export async function addReportDocument(
  ctx: Context<'uploadReportDocument'>,
  verdict: Verdict,
): Promise<{ readonly report: ReportRecord; readonly document: Schemas['ReportDocument'] }> {
  const { tx, params, files } = ctx;
  const report = await lookup(ctx).report(params.reportId).forChange();
  assertOpen(report);
  if (verdict instanceof Problem) throw verdict;
  const { mimeType, kept } = verdict;
  const content = kept === null ? files.file.bytes : files.file.bytes.subarray(0, kept.size);
  const others = await listReportDocuments(tx, report);
  const size = others.reduce((sum, { sizeBytes }) => sum + sizeBytes, content.length);
  if (others.length >= MAX_DOCUMENTS || size > MAX_BYTES) throw new Problem('report_document_limit');
  const document = {
    id: uuidv7(),
    fileName: safeFileName(files.file.name, mimeType),
    mimeType,
    sizeBytes: content.length,
    sha256: kept?.sha256 ?? files.file.sha256,
    createdAt: ctx.timeIn(report.environment).toISOString(),
  };
  await insertReportDocument(tx, report, { document, content });
  return { report, document };
}
