/** How a report begins: about the operation of a case, or as the declaration that a year had nothing to report. */
import { type BusinessTime, readBusinessTime, type RealTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf, type Environment, type UserPrincipal } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import { assertEnvironmentWritable } from '../../identity/tenant.ts';
import type { Access } from '../../request/lookup.ts';
import { type BusinessClocks, calendarDate } from '../../rules/brazilian-calendar.ts';
import type { CaseRecord } from '../cases/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { businessDaysAfterYear, businessDaysFrom, daysFrom } from './deadlines.ts';
import { lookup } from './lookup.ts';
import { scheduleOf } from './schedule.ts';
import { insertReport, type ReportContent, type ReportRecord, wasAnyFiled } from './store.ts';
import { firstNarrative } from './texts.ts';

type Schemas = components['schemas'];

interface Beginning extends Access, BusinessClocks {
  readonly principal: UserPrincipal;
  readonly now: RealTime;
}

/** Lists the errors of a body that its schema does not express: an operation in cash has a day. */
export function createErrors({ kind, operationOn }: { kind?: unknown; operationOn?: unknown }): FieldError[] {
  return kind === 'cash_operation' && (operationOn ?? null) === null ? [dayMissing] : [];
}

export const dayMissing: FieldError = {
  pointer: '/operationOn',
  code: 'required',
  message: 'must be the day of the operation, because an operation in cash is due from that day on',
};

/** Throws if the day of an operation is still to come. */
export function assertPast(operationOn: string | null, at: BusinessTime): void {
  if (operationOn === null || operationOn <= calendarDate(at)) return;
  const message = 'must not be after today in São Paulo';
  throw new Problem('validation_failed', { errors: [{ pointer: '/operationOn', code: 'maximum', message }] });
}

/** Begins a report about a case, whose row is read without a lock and stays as it is. */
export async function createReport(
  ctx: Beginning & { readonly params: { readonly caseId: string }; readonly body: Schemas['ReportCreate'] },
): Promise<ReportRecord> {
  const { tx, principal, body } = ctx;
  const errors = createErrors(body);
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
  const reviewCase = await lookup(ctx).reviewCase(ctx.params.caseId).forChangeWithoutLock();
  const subject = await readSubject(ctx, reviewCase);
  const { reports: settings } = await readSettings(tx, principal.tenantId);
  const at = ctx.timeIn(reviewCase.environment);
  const { kind, operationOn = null, amount = null, legalBasis = [], parties = [] } = body;
  assertPast(operationOn, at);
  const openedAt = readBusinessTime(reviewCase.createdAt);
  const isSuspicious = kind === 'suspicious_operation';
  const due = isSuspicious ? null : businessDaysFrom(operationOn!, settings.cashBusinessDays).toISOString();
  const facts = {
    id: uuidv7(),
    kind,
    year: null,
    selectedAt: isSuspicious ? reviewCase.createdAt : null,
    decidedAt: null,
  };
  const content: ReportContent = {
    operationOn,
    amount,
    legalBasis,
    parties: parties.map((party) => ({ ...party, taxId: party.taxId ?? null })),
    narrative: null,
    decisionNote: null,
    protocol: null,
    caseCopy: {
      number: reviewCase.number,
      type: reviewCase.type,
      openedOn: calendarDate(openedAt),
      reason: reviewCase.openedReason,
      ...subject,
    },
  };
  return begin(ctx, at, {
    ...facts,
    environment: reviewCase.environment,
    status: isSuspicious ? 'draft' : 'decided_report',
    caseId: reviewCase.id,
    selectionDueAt:
      isSuspicious && operationOn !== null ? daysFrom(operationOn, settings.selectionDays).toISOString() : null,
    analysisDueAt: isSuspicious ? daysFrom(openedAt, settings.analysisDays).toISOString() : null,
    reportDueAt: due,
    content: { ...content, narrative: body.narrative ?? firstNarrative(settings, facts, content) },
  });
}

type CopiedSubject = Pick<
  Schemas['ReportCaseCopy'],
  'applicationId' | 'businessId' | 'subjectName' | 'subjectTaxId' | 'subjectDateOfBirth'
>;

/** Reads the applicant or the business that a case is about, as a report names it. */
async function readSubject(ctx: Beginning, { applicationId, businessId }: CaseRecord): Promise<CopiedSubject> {
  if (applicationId === null) {
    const { legalName, registration } = await lookup(ctx).business(businessId!).forReading();
    return {
      applicationId,
      businessId: businessId!,
      subjectName: legalName,
      subjectTaxId: registration.number,
      subjectDateOfBirth: null,
    };
  }
  const { applicant } = await lookup(ctx).application(applicationId).forReading();
  return {
    applicationId,
    subjectName: applicant.fullName,
    subjectTaxId: applicant.taxId?.value ?? null,
    subjectDateOfBirth: applicant.dateOfBirth,
  };
}

/** Begins the declaration that a year had nothing to report, unless something was filed in it. */
export async function declareNonOccurrence(
  ctx: Beginning & {
    readonly environment: Environment;
    readonly body: Schemas['ReportNonOccurrence'];
  },
): Promise<ReportRecord> {
  const { tx, principal, environment, body } = ctx;
  const { year } = body;
  assertEnvironmentWritable(environment, ctx);
  ctx.setResourceEnvironment(environment);
  const at = ctx.timeIn(environment);
  if (year >= Number(calendarDate(at).slice(0, 4))) {
    const message = 'must be a year that has ended in São Paulo';
    throw new Problem('validation_failed', { errors: [{ pointer: '/year', code: 'maximum', message }] });
  }
  const { reports: settings } = await readSettings(tx, principal.tenantId);
  // The last milliseconds of the year before, and of the year.
  const [from, to] = [daysFrom(`${year - 1}-12-31`, 0), daysFrom(`${year}-12-31`, 0)];
  if (await wasAnyFiled(tx, environment, { from, to })) throw new Problem('report_exists');
  return begin(ctx, at, {
    id: uuidv7(),
    environment,
    kind: 'non_occurrence',
    status: 'decided_report',
    caseId: null,
    year,
    selectedAt: null,
    selectionDueAt: null,
    analysisDueAt: null,
    decidedAt: null,
    reportDueAt: businessDaysAfterYear(year, settings.nonOccurrenceBusinessDays).toISOString(),
    content: {
      operationOn: null,
      amount: null,
      legalBasis: [],
      parties: [],
      narrative: null,
      decisionNote: null,
      protocol: null,
      caseCopy: null,
    },
  });
}

type NewReport = Omit<
  ReportRecord,
  'key' | 'dueAt' | 'wasLate' | 'filedAt' | 'createdAt' | 'createdBy' | 'updatedAt' | 'version'
>;

async function begin({ tx, principal }: Beginning, at: BusinessTime, report: NewReport): Promise<ReportRecord> {
  const inserted = await insertReport(tx, {
    ...report,
    ...scheduleOf({ ...report, filedAt: null }),
    filedAt: null,
    createdAt: at.toISOString(),
    createdBy: actorOf(principal),
  });
  if (inserted === null) throw new Problem('report_exists');
  return inserted;
}
