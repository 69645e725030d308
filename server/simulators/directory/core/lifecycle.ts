/**
 * This file holds the rules of the simulated directory: what follows from each status of a recovery, by itself or by an
 * action of its creator (Manual Operacional do DICT §20). Used by fold.ts.
 */
import type { Action, Hop, Payment, Refund, Report, Status } from './model.ts';
import type { Mutable, RecoverySimulation } from './simulation.ts';
import { type Cents, grace, limits, partOf, transactionId } from './values.ts';

/**
 * Cancels the recovery and all its reports. It has no refunds yet: they begin with REFUNDING, which cannot be
 * cancelled.
 */
function cancel(simulation: RecoverySimulation): void {
  for (const report of simulation.reports) {
    report.status = 'CANCELLED';
    report.modifiedAt = simulation.now;
    simulation.recordFact('REPORT_CANCELLED', { report });
  }
  simulation.transitionTo('CANCELLED');
}

/**
 * Opens the report of the root payment at once (DICT API, createFundsRecovery), so that its receiver can block the
 * money.
 */
function openRootReport(simulation: RecoverySimulation): void {
  const root = simulation.payments.filter(({ from }) => from === null);
  openReport(simulation, root);
}

/** Opens the reports of the payments that passed the money on, and waits for the analysis of every receiver. */
function openReports(simulation: RecoverySimulation): void {
  const onward = simulation.payments.filter(({ from }) => from !== null);
  openReport(simulation, onward);
  simulation.transitionTo('AWAITING_ANALYSIS');
}

function openReport(simulation: RecoverySimulation, payments: readonly Payment[]): void {
  for (const { label, from, transactionId, sender, receiver, amount } of payments) {
    const report: Mutable<Report> = {
      id: simulation.id(`report ${label}`),
      label,
      from,
      transactionId,
      reporter: sender,
      counterparty: receiver,
      amount,
      status: 'OPEN',
      result: null,
      createdAt: simulation.now,
      modifiedAt: simulation.now,
    };
    simulation.reports.push(report);
    simulation.recordFact('REPORT_OPENED', { report });
  }
}

/**
 * Schedules the answer of each receiver to its report, and what happens to reports that are still open at their time
 * limit.
 */
function analyse(simulation: RecoverySimulation): void {
  for (const report of simulation.reports) {
    const hop = simulation.command.hops.find(({ label }) => label === report.label);
    const analysis: Hop['analysis'] = hop?.analysis ?? { result: 'SILENT', after: 0 };
    const { result, after, acknowledgedAfter = Math.floor(after / 2) } = analysis;
    if (result !== 'SILENT') {
      simulation.schedule(acknowledgedAfter, () => acknowledgeReport(simulation, report));
      simulation.schedule(after, () => closeReport(simulation, report, result === 'AGREE' ? 'AGREED' : 'DISAGREED'));
    }
    simulation.events.add(report.createdAt + limits.analysis, () => {
      if (isReportOpen(report)) simulation.recordFact('ANALYSIS_TIMED_OUT', { report });
    });
    simulation.events.add(report.createdAt + limits.analysis + grace, () => expireReport(simulation, report));
  }
}

function acknowledgeReport(simulation: RecoverySimulation, report: Mutable<Report>): void {
  if (report.status !== 'OPEN') return;
  report.status = 'ACKNOWLEDGED';
  report.modifiedAt = simulation.now;
  simulation.recordFact('REPORT_ACKNOWLEDGED', { report });
}

function closeReport(simulation: RecoverySimulation, report: Mutable<Report>, result: 'AGREED' | 'DISAGREED'): void {
  if (!isReportOpen(report)) return;
  acknowledgeReport(simulation, report);
  report.status = 'CLOSED';
  report.result = result;
  report.modifiedAt = simulation.now;
  simulation.recordFact('COUNTERPARTY_ANALYSED', { report, result });
  if (!simulation.reports.some(isReportOpen)) simulation.transitionTo('ANALYSED');
}

function expireReport(simulation: RecoverySimulation, report: Mutable<Report>): void {
  if (!isReportOpen(report)) return;
  switch (simulation.command.onTimeout) {
    case 'AUTO_AGREE':
      return closeReport(simulation, report, 'AGREED');
    case 'AUTO_DISAGREE':
      return closeReport(simulation, report, 'DISAGREED');
    case 'AUTO_CANCEL':
      return cancel(simulation);
    case 'NONE':
      return;
  }
}

function isReportOpen({ status }: Report): boolean {
  return status === 'OPEN' || status === 'ACKNOWLEDGED';
}

/**
 * Starts the refunds, which cannot be cancelled any more (Manual Operacional do DICT §20.1.7). Without any refund to
 * request, the recovery completes at once.
 */
function startRefunds(simulation: RecoverySimulation): void {
  const requested = requestRefund(simulation, agreedFromTheRoot(simulation.reports));
  simulation.transitionTo('REFUNDING');
  if (!requested) simulation.transitionTo('COMPLETED');
}

/** Returns the agreed reports that are connected with the root payment by agreed reports only, the nearest first. */
function agreedFromTheRoot(reports: readonly Report[]): readonly Report[] {
  const reached: Report[] = [];
  for (const report of reports) {
    const connected = report.from === null || reached.some(({ label }) => label === report.from);
    if (connected && report.result === 'AGREED') reached.push(report);
  }
  return reached;
}

/**
 * Requests a refund from the next receiver: the amount still missing, up to the amount of its report. Returns false if
 * none is left.
 */
function requestRefund(simulation: RecoverySimulation, reports: readonly Report[]): boolean {
  const missing = simulation.recovery.amount - simulation.refunds.reduce((sum, { returned }) => sum + returned, 0);
  const next = reports.findIndex(({ amount }) => Math.min(amount, missing) > 0);
  const report = reports[next];
  if (report === undefined) return false;
  const id = simulation.id(`refund ${report.label}`);
  const refund: Mutable<Refund> = {
    id,
    transactionId: null,
    report,
    amount: Math.min(report.amount, missing),
    status: 'OPEN',
    result: null,
    rejection: null,
    returned: 0,
    createdAt: simulation.now,
    modifiedAt: simulation.now,
  };
  simulation.refunds.push(refund);
  simulation.recordFact('REFUND_OPENED', { refund });
  answerRefund(simulation, refund, reports.slice(next + 1));
  return true;
}

function answerRefund(simulation: RecoverySimulation, refund: Mutable<Refund>, others: readonly Report[]): void {
  const close = (result: Hop['refund']['result'], share: number): void => {
    if (refund.status !== 'OPEN') return;
    settleRefund(simulation, refund, result, partOf(refund.amount, share));
    simulation.recordFact('REFUND_CLOSED', { refund, result: refund.result });
    simulation.schedule(simulation.command.delays.settle, () => {
      if (!requestRefund(simulation, others)) simulation.transitionTo('COMPLETED');
    });
  };
  const hop = simulation.command.hops.find(({ label }) => label === refund.report.label);
  const behaviour = hop?.refund ?? { result: 'SILENT', after: 0, part: 0 };
  if (behaviour.result !== 'SILENT')
    simulation.schedule(behaviour.after, () => close(behaviour.result, behaviour.part));
  simulation.schedule(limits.refund, () => {
    if (refund.status === 'OPEN') simulation.recordFact('REFUND_TIMED_OUT', { refund });
  });
  simulation.schedule(limits.refund + grace, () => {
    if (simulation.command.onTimeout === 'AUTO_AGREE') close('PAY_ALL', 1000);
    if (simulation.command.onTimeout === 'AUTO_DISAGREE') close('NO_BALANCE', 0);
  });
}

function settleRefund(
  { now, command }: RecoverySimulation,
  refund: Mutable<Refund>,
  result: Hop['refund']['result'],
  paid: Cents,
): void {
  refund.status = 'CLOSED';
  refund.returned = returnedBy(result, refund.amount, paid);
  refund.result = refundResult(refund);
  refund.rejection = refund.result === 'REJECTED' ? (command.rejectionReason ?? 'NO_BALANCE') : null;
  refund.transactionId = refund.returned > 0 ? transactionId('D', refund.report.counterparty, now, refund.id) : null;
  refund.modifiedAt = now;
}

function returnedBy(result: Hop['refund']['result'], amount: Cents, paid: Cents): Cents {
  if (result === 'PAY_ALL') return amount;
  return result === 'PAY_PART' ? Math.min(paid, amount) : 0;
}

function refundResult({ returned, amount }: Refund): NonNullable<Refund['result']> {
  if (returned === amount) return 'TOTALLY_ACCEPTED';
  return returned > 0 ? 'PARTIALLY_ACCEPTED' : 'REJECTED';
}

const cancellable: readonly Status[] = ['CREATED', 'TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED'];
const updatable: readonly Status[] = ['CREATED', 'TRACKED', 'AWAITING_ANALYSIS'];

/** Schedules what follows from a status by itself and what the creator plans to do in it. */
export function onStatus(simulation: RecoverySimulation, status: Status): void {
  const { tracking, delays, plan } = simulation.command;
  switch (status) {
    case 'CREATED':
      openRootReport(simulation);
      watchTracking(simulation);
      simulation.schedule(tracking === 'BUILT' ? delays.track : delays.open, () => {
        if (simulation.status !== 'CREATED') return;
        if (tracking === 'BUILT') buildGraph(simulation);
        else openReports(simulation);
      });
      break;
    case 'TRACKED':
      simulation.schedule(delays.open, () => {
        if (simulation.status === 'TRACKED') openReports(simulation);
      });
      break;
    case 'AWAITING_ANALYSIS':
      analyse(simulation);
      break;
    case 'ANALYSED':
      afterAnalysis(simulation);
      break;
    case 'REFUNDING':
    case 'COMPLETED':
    case 'CANCELLED':
      break;
  }
  for (const { action, when, after } of plan)
    if (when === status) simulation.schedule(after, () => performAction(simulation, action));
}

/** Performs an action of the creator, or records a refusal if the status does not allow it. */
export function performAction(simulation: RecoverySimulation, action: Action): void {
  const { status } = simulation;
  if (action === 'CANCEL' && cancellable.includes(status)) cancel(simulation);
  else if (action === 'START_REFUND' && status === 'ANALYSED' && rootAgreed(simulation)) startRefunds(simulation);
  else if (action === 'UPDATE_INFORMATION' && updatable.includes(status)) {
    simulation.recovery.updates += 1;
    simulation.recovery.modifiedAt = simulation.now;
    simulation.recordFact('INFORMATION_UPDATED');
  } else simulation.recordRefusal(action, 'FundsRecoveryOperationInvalid');
}

function buildGraph(simulation: RecoverySimulation): void {
  simulation.recovery.graphBuiltAt = simulation.now;
  simulation.transitionTo('TRACKED');
}

function watchTracking(simulation: RecoverySimulation): void {
  simulation.schedule(limits.tracking, () => {
    if (simulation.status === 'CREATED' || simulation.status === 'TRACKED') simulation.recordFact('TRACKING_TIMED_OUT');
  });
}

function afterAnalysis(simulation: RecoverySimulation): void {
  if (!rootAgreed(simulation)) {
    simulation.schedule(simulation.command.delays.settle, () => {
      if (simulation.status === 'ANALYSED') simulation.transitionTo('COMPLETED');
    });
    return;
  }
  simulation.schedule(limits.refundStart, () => {
    if (simulation.status === 'ANALYSED') simulation.recordFact('REFUND_START_TIMED_OUT');
  });
  simulation.schedule(limits.refundStart + grace, () => {
    if (simulation.status === 'ANALYSED' && simulation.command.onTimeout === 'AUTO_CANCEL') cancel(simulation);
  });
}

function rootAgreed(simulation: RecoverySimulation): boolean {
  return simulation.reports.some(({ from, result }) => from === null && result === 'AGREED');
}
