import { analyse, openReports, openRootReport } from './analysis.ts';
import { cancel } from './cancel.ts';
import type { Action, Status } from './command.ts';
import type { Course } from './course.ts';
import { startRefunds } from './refunding.ts';
import { grace, limits } from './time.ts';

const cancellable: readonly Status[] = ['CREATED', 'TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED'];
const updatable: readonly Status[] = ['CREATED', 'TRACKED', 'AWAITING_ANALYSIS'];

/** What follows from a status by itself, and what the creator has planned for it. */
export function onStatus(course: Course, status: Status): void {
  const { tracking, delays, plan } = course.command;
  switch (status) {
    case 'CREATED':
      openRootReport(course);
      watchTracking(course);
      course.after(tracking === 'BUILT' ? delays.track : delays.open, () => {
        if (course.status !== 'CREATED') return;
        if (tracking === 'BUILT') track(course);
        else openReports(course);
      });
      break;
    case 'TRACKED':
      course.after(delays.open, () => {
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
  for (const { action, when, after } of plan) if (when === status) course.after(after, () => act(course, action));
}

/** The creator's calls, as far as the status allows them. */
export function act(course: Course, action: Action): void {
  const { status } = course;
  if (action === 'CANCEL' && cancellable.includes(status)) cancel(course);
  else if (action === 'START_REFUND' && status === 'ANALYSED' && rootAgreed(course)) startRefunds(course);
  else if (action === 'UPDATE_INFORMATION' && updatable.includes(status)) {
    course.recovery.updates += 1;
    course.recovery.modifiedAt = course.now;
    course.note('INFORMATION_UPDATED');
  } else course.refuse(action, 'FundsRecoveryOperationNotAllowed');
}

function track(course: Course): void {
  course.recovery.graphBuiltAt = course.now;
  course.reach('TRACKED');
}

function watchTracking(course: Course): void {
  course.after(limits.tracking, () => {
    if (course.status === 'CREATED' || course.status === 'TRACKED') course.note('TRACKING_TIMED_OUT');
  });
}

function afterAnalysis(course: Course): void {
  if (!rootAgreed(course)) {
    course.after(course.command.delays.settle, () => {
      if (course.status === 'ANALYSED') course.reach('COMPLETED');
    });
    return;
  }
  course.after(limits.refundStart, () => {
    if (course.status === 'ANALYSED') course.note('REFUND_START_TIMED_OUT');
  });
  course.after(limits.refundStart + grace, () => {
    if (course.status === 'ANALYSED' && course.command.onTimeout === 'AUTO_CANCEL') cancel(course);
  });
}

function rootAgreed(course: Course): boolean {
  return course.reports.some(({ from, result }) => from === null && result === 'AGREED');
}
