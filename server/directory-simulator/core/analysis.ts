import { cancel } from './cancel.ts';
import type { Course, Mutable } from './course.ts';
import type { Payment, Report } from './model.ts';
import { grace, limits } from './time.ts';

/** The root's report is there from the beginning (DICT API, createFundsRecovery), so its receiver can block at once. */
export function openRootReport(course: Course): void {
  open(course, course.payments.filter(({ from }) => from === null));
}

/** The reports of what was passed on. From now on every receiver is awaited. */
export function openReports(course: Course): void {
  open(course, course.payments.filter(({ from }) => from !== null));
  course.reach('AWAITING_ANALYSIS');
}

function open(course: Course, payments: readonly Payment[]): void {
  for (const { label, from, transactionId, receiver, amount } of payments) {
    course.reports.push({
      id: course.id(`report ${label}`), label, from, transactionId, counterparty: receiver, amount,
      status: 'OPEN', result: null, createdAt: course.now, modifiedAt: course.now,
    });
  }
}

/** What each receiver does with its report, and what happens to one that is still open at its limit. */
export function analyse(course: Course): void {
  for (const report of course.reports) {
    const hop = course.command.hops.find(({ label }) => label === report.label);
    const { result, after } = hop?.analysis ?? { result: 'SILENT', after: 0 };
    if (result !== 'SILENT') {
      course.after(Math.floor(after / 2), () => acknowledge(course, report));
      course.after(after, () => close(course, report, result === 'AGREE' ? 'AGREED' : 'DISAGREED'));
    }
    course.agenda.add(report.createdAt + limits.analysis, () => {
      if (isOpen(report)) course.note('ANALYSIS_TIMED_OUT', { report });
    });
    course.agenda.add(report.createdAt + limits.analysis + grace, () => expire(course, report));
  }
}

function acknowledge(course: Course, report: Mutable<Report>): void {
  if (report.status !== 'OPEN') return;
  report.status = 'ACKNOWLEDGED';
  report.modifiedAt = course.now;
}

function close(course: Course, report: Mutable<Report>, result: 'AGREED' | 'DISAGREED'): void {
  if (!isOpen(report)) return;
  report.status = 'CLOSED';
  report.result = result;
  report.modifiedAt = course.now;
  course.note('COUNTERPARTY_ANALYSED', { report, result });
  if (!course.reports.some(isOpen)) course.reach('ANALYSED');
}

function expire(course: Course, report: Mutable<Report>): void {
  if (!isOpen(report)) return;
  switch (course.command.onTimeout) {
    case 'AUTO_AGREE': return close(course, report, 'AGREED');
    case 'AUTO_DISAGREE': return close(course, report, 'DISAGREED');
    case 'AUTO_CANCEL': return cancel(course);
    case 'NONE': return;
  }
}

function isOpen({ status }: Report): boolean {
  return status === 'OPEN' || status === 'ACKNOWLEDGED';
}
