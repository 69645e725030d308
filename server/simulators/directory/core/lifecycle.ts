import type { Action, Hop, Payment, Refund, Report, Status } from './model.ts';
import type { Mutable, RecoverySimulation } from './simulation.ts';
import { type Cents, grace, limits, partOf, transactionId } from './values.ts';

/** Every report is cancelled with it, whatever its state. Refunds begin with REFUNDING, which cannot be cancelled. */
function cancel(course: RecoverySimulation): void {
  for (const report of course.reports) {
    report.status = 'CANCELLED';
    report.modifiedAt = course.now;
  }
  course.transitionTo('CANCELLED');
}

/** The root's report is there from the beginning (DICT API, createFundsRecovery), so its receiver can block at once. */
function openRootReport(course: RecoverySimulation): void {
  openReport(course, course.payments.filter(({ from }) => from === null));
}

/** The reports of what was passed on. From now on every receiver is awaited. */
function openReports(course: RecoverySimulation): void {
  openReport(course, course.payments.filter(({ from }) => from !== null));
  course.transitionTo('AWAITING_ANALYSIS');
}

function openReport(course: RecoverySimulation, payments: readonly Payment[]): void {
  for (const { label, from, transactionId, receiver, amount } of payments) {
    course.reports.push({
      id: course.id(`report ${label}`), label, from, transactionId, counterparty: receiver, amount,
      status: 'OPEN', result: null, createdAt: course.now, modifiedAt: course.now,
    });
  }
}

/** What each receiver does with its report, and what happens to one that is still open at its limit. */
function analyse(course: RecoverySimulation): void {
  for (const report of course.reports) {
    const hop = course.command.hops.find(({ label }) => label === report.label);
    const { result, after } = hop?.analysis ?? { result: 'SILENT', after: 0 };
    if (result !== 'SILENT') {
      course.schedule(Math.floor(after / 2), () => acknowledgeReport(course, report));
      course.schedule(after, () => closeReport(course, report, result === 'AGREE' ? 'AGREED' : 'DISAGREED'));
    }
    course.agenda.add(report.createdAt + limits.analysis, () => {
      if (isReportOpen(report)) course.recordFact('ANALYSIS_TIMED_OUT', { report });
    });
    course.agenda.add(report.createdAt + limits.analysis + grace, () => expireReport(course, report));
  }
}

function acknowledgeReport(course: RecoverySimulation, report: Mutable<Report>): void {
  if (report.status !== 'OPEN') return;
  report.status = 'ACKNOWLEDGED';
  report.modifiedAt = course.now;
}

function closeReport(course: RecoverySimulation, report: Mutable<Report>, result: 'AGREED' | 'DISAGREED'): void {
  if (!isReportOpen(report)) return;
  report.status = 'CLOSED';
  report.result = result;
  report.modifiedAt = course.now;
  course.recordFact('COUNTERPARTY_ANALYSED', { report, result });
  if (!course.reports.some(isReportOpen)) course.transitionTo('ANALYSED');
}

function expireReport(course: RecoverySimulation, report: Mutable<Report>): void {
  if (!isReportOpen(report)) return;
  switch (course.command.onTimeout) {
    case 'AUTO_AGREE': return closeReport(course, report, 'AGREED');
    case 'AUTO_DISAGREE': return closeReport(course, report, 'DISAGREED');
    case 'AUTO_CANCEL': return cancel(course);
    case 'NONE': return;
  }
}

function isReportOpen({ status }: Report): boolean {
  return status === 'OPEN' || status === 'ACKNOWLEDGED';
}

/** The first request is made with the status, which ends at once where there is none to make; nothing stops what follows (Manual Operacional do DICT §20.1.7). */
function startRefunds(course: RecoverySimulation): void {
  const asked = requestRefund(course, agreedFromTheRoot(course.reports));
  course.transitionTo('REFUNDING');
  if (!asked) course.transitionTo('COMPLETED');
}

/** The reports that an unbroken chain of agreement connects with the root, nearest first. */
function agreedFromTheRoot(reports: readonly Report[]): readonly Report[] {
  const reached: Report[] = [];
  for (const report of reports) {
    const connected = report.from === null || reached.some(({ label }) => label === report.from);
    if (connected && report.result === 'AGREED') reached.push(report);
  }
  return reached;
}

/** Asks the next receiver for what is still missing, as far as it was asked to block that much. One at a time; false when there is none left. */
function requestRefund(course: RecoverySimulation, reports: readonly Report[]): boolean {
  const missing = course.recovery.amount - course.refunds.reduce((sum, { returned }) => sum + returned, 0);
  const next = reports.findIndex(({ amount }) => Math.min(amount, missing) > 0);
  const report = reports[next];
  if (report === undefined) return false;
  const id = course.id(`refund ${report.label}`);
  const refund: Mutable<Refund> = {
    id, transactionId: transactionId('D', report.counterparty, course.now, id), report, amount: Math.min(report.amount, missing),
    status: 'OPEN', result: null, rejection: null, returned: 0, createdAt: course.now, modifiedAt: course.now,
  };
  course.refunds.push(refund);
  answerRefund(course, refund, reports.slice(next + 1));
  return true;
}

function answerRefund(course: RecoverySimulation, refund: Mutable<Refund>, others: readonly Report[]): void {
  const close = (result: Hop['refund']['result'], share: number): void => {
    if (refund.status !== 'OPEN') return;
    settleRefund(refund, result, partOf(refund.amount, share));
    refund.modifiedAt = course.now;
    course.recordFact('REFUND_CLOSED', { refund, result: refund.result });
    course.schedule(course.command.delays.settle, () => {
      if (!requestRefund(course, others)) course.transitionTo('COMPLETED');
    });
  };
  const hop = course.command.hops.find(({ label }) => label === refund.report.label);
  const behaviour = hop?.refund ?? { result: 'SILENT', after: 0, part: 0 };
  if (behaviour.result !== 'SILENT') course.schedule(behaviour.after, () => close(behaviour.result, behaviour.part));
  course.schedule(limits.refund, () => {
    if (refund.status === 'OPEN') course.recordFact('REFUND_TIMED_OUT', { refund });
  });
  course.schedule(limits.refund + grace, () => {
    if (course.command.onTimeout === 'AUTO_AGREE') close('PAY_ALL', 1000);
    if (course.command.onTimeout === 'AUTO_DISAGREE') close('NO_BALANCE', 0);
  });
}

function settleRefund(refund: Mutable<Refund>, result: Hop['refund']['result'], paid: Cents): void {
  refund.status = 'CLOSED';
  refund.returned = result === 'PAY_ALL' ? refund.amount : result === 'PAY_PART' ? Math.min(paid, refund.amount) : 0;
  refund.result = refund.returned === refund.amount ? 'TOTALLY_ACCEPTED' : refund.returned > 0 ? 'PARTIALLY_ACCEPTED' : 'REJECTED';
  refund.rejection = refund.result === 'REJECTED' ? 'NO_BALANCE' : null;
}

const cancellable: readonly Status[] = ['CREATED', 'TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED'];
const updatable: readonly Status[] = ['CREATED', 'TRACKED', 'AWAITING_ANALYSIS'];

/** What follows from a status by itself, and what the creator has planned for it. */
export function onStatus(course: RecoverySimulation, status: Status): void {
  const { tracking, delays, plan } = course.command;
  switch (status) {
    case 'CREATED':
      openRootReport(course);
      watchTracking(course);
      course.schedule(tracking === 'BUILT' ? delays.track : delays.open, () => {
        if (course.status !== 'CREATED') return;
        if (tracking === 'BUILT') buildGraph(course);
        else openReports(course);
      });
      break;
    case 'TRACKED':
      course.schedule(delays.open, () => {
        if (course.status === 'TRACKED') openReports(course);
      });
      break;
    case 'AWAITING_ANALYSIS':
      analyse(course);
      break;
    case 'ANALYSED':
      afterAnalysis(course);
      break;
  }
  for (const { action, when, after } of plan) if (when === status) course.schedule(after, () => performAction(course, action));
}

/** The creator's calls, as far as the status allows them. */
export function performAction(course: RecoverySimulation, action: Action): void {
  const { status } = course;
  if (action === 'CANCEL' && cancellable.includes(status)) cancel(course);
  else if (action === 'START_REFUND' && status === 'ANALYSED' && rootAgreed(course)) startRefunds(course);
  else if (action === 'UPDATE_INFORMATION' && updatable.includes(status)) {
    course.recovery.updates += 1;
    course.recovery.modifiedAt = course.now;
    course.recordFact('INFORMATION_UPDATED');
  } else course.recordRefusal(action, 'FundsRecoveryOperationNotAllowed');
}

function buildGraph(course: RecoverySimulation): void {
  course.recovery.graphBuiltAt = course.now;
  course.transitionTo('TRACKED');
}

function watchTracking(course: RecoverySimulation): void {
  course.schedule(limits.tracking, () => {
    if (course.status === 'CREATED' || course.status === 'TRACKED') course.recordFact('TRACKING_TIMED_OUT');
  });
}

function afterAnalysis(course: RecoverySimulation): void {
  if (!rootAgreed(course)) {
    course.schedule(course.command.delays.settle, () => {
      if (course.status === 'ANALYSED') course.transitionTo('COMPLETED');
    });
    return;
  }
  course.schedule(limits.refundStart, () => {
    if (course.status === 'ANALYSED') course.recordFact('REFUND_START_TIMED_OUT');
  });
  course.schedule(limits.refundStart + grace, () => {
    if (course.status === 'ANALYSED' && course.command.onTimeout === 'AUTO_CANCEL') cancel(course);
  });
}

function rootAgreed(course: RecoverySimulation): boolean {
  return course.reports.some(({ from, result }) => from === null && result === 'AGREED');
}
