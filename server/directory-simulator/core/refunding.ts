import type { Hop } from './command.ts';
import type { Course, Mutable } from './course.ts';
import { transactionId } from './ids.ts';
import type { Refund, Report } from './model.ts';
import { part, type Cents } from './money.ts';
import { grace, limits } from './time.ts';

/** The first request is made with the status, which ends at once where there is none to make; nothing stops what follows (Manual Operacional do DICT §20.1.7). */
export function startRefunds(course: Course): void {
  const asked = request(course, agreedFromTheRoot(course.reports));
  course.reach('REFUNDING');
  if (!asked) course.reach('COMPLETED');
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
function request(course: Course, reports: readonly Report[]): boolean {
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
  answer(course, refund, reports.slice(next + 1));
  return true;
}

function answer(course: Course, refund: Mutable<Refund>, others: readonly Report[]): void {
  const close = (result: Hop['refund']['result'], share: number): void => {
    if (refund.status !== 'OPEN') return;
    settle(refund, result, part(refund.amount, share));
    refund.modifiedAt = course.now;
    course.note('REFUND_CLOSED', { refund, result: refund.result });
    course.after(course.command.delays.settle, () => {
      if (!request(course, others)) course.reach('COMPLETED');
    });
  };
  const hop = course.command.hops.find(({ label }) => label === refund.report.label);
  const behaviour = hop?.refund ?? { result: 'SILENT', after: 0, part: 0 };
  if (behaviour.result !== 'SILENT') course.after(behaviour.after, () => close(behaviour.result, behaviour.part));
  course.after(limits.refund, () => {
    if (refund.status === 'OPEN') course.note('REFUND_TIMED_OUT', { refund });
  });
  course.after(limits.refund + grace, () => {
    if (course.command.onTimeout === 'AUTO_AGREE') close('PAY_ALL', 1000);
    if (course.command.onTimeout === 'AUTO_DISAGREE') close('NO_BALANCE', 0);
  });
}

function settle(refund: Mutable<Refund>, result: Hop['refund']['result'], paid: Cents): void {
  refund.status = 'CLOSED';
  refund.returned = result === 'PAY_ALL' ? refund.amount : result === 'PAY_PART' ? Math.min(paid, refund.amount) : 0;
  refund.result = refund.returned === refund.amount ? 'TOTALLY_ACCEPTED' : refund.returned > 0 ? 'PARTIALLY_ACCEPTED' : 'REJECTED';
  refund.rejection = refund.result === 'REJECTED' ? 'NO_BALANCE' : null;
}
