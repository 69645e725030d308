import type { Course } from './course.ts';

/** Every report is cancelled with it, whatever its state. Refunds begin with REFUNDING, which cannot be cancelled. */
export function cancel(course: Course): void {
  for (const report of course.reports) {
    report.status = 'CANCELLED';
    report.modifiedAt = course.now;
  }
  course.reach('CANCELLED');
}
