import { day, hour, limits, minute } from '../core/time.ts';
import { scenario } from './define.ts';
import { chain, delays, hop } from './parts.ts';
import type { Scenario } from './scenario.ts';

/** Courses in which a limit passes, or almost does. Limits have their length at every pace: the clock is to be advanced. */
export const overdue: readonly Scenario[] = [
  scenario({
    name: 'analysis-timeout',
    title: 'Late analysis',
    description: 'Two of three receivers answer after the seven days that they have.',
    roles: ['SENT'],
    expected: 'CR TR AW CA(A:AGREED) T-AN(B) T-AN(C) CA(B:AGREED) CA(C:AGREED) AN RF RC(A:PARTIALLY_ACCEPTED) RC(B:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({
      tracking: 'BUILT',
      hops: chain(pace, { B: { analysedAfter: 7 * day + 2 * hour }, C: { analysedAfter: 7 * day + 5 * hour } }),
    }),
  }),
  scenario({
    name: 'analysis-timeout-auto-agree',
    title: 'Silence taken for agreement',
    description: 'A receiver does not answer within seven days, and the directory closes its report as agreed.',
    roles: ['SENT'],
    onTimeout: 'AUTO_AGREE',
    expected: 'CR TR AW CA(A:AGREED) T-AN(B) CA(B:AGREED) AN RF RC(A:PARTIALLY_ACCEPTED) RC(B:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({ tracking: 'BUILT', hops: chain(pace, { B: { analysis: 'SILENT' } }).slice(0, 2) }),
  }),
  scenario({
    name: 'analysis-timeout-auto-disagree',
    title: 'Silence taken for disagreement',
    description: 'The receiver of the payment does not answer within seven days, and the directory closes its report as disagreed.',
    onTimeout: 'AUTO_DISAGREE',
    expected: 'CR AW T-AN(A) CA(A:DISAGREED) AN CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { analysis: 'SILENT' })], plan: [] }),
  }),
  scenario({
    name: 'analysis-timeout-auto-cancel',
    title: 'Cancelled for silence',
    description: 'The receiver of the payment does not answer within seven days, and the directory cancels the recovery.',
    onTimeout: 'AUTO_CANCEL',
    expected: 'CR AW T-AN(A) CX',
    course: (pace) => ({ hops: [hop(pace, 'A', { analysis: 'SILENT' })], plan: [] }),
  }),
  scenario({
    name: 'refund-start-timeout',
    title: 'Refund never started',
    description: 'The creator lets the 72 hours pass in which it can start the refund. Nothing follows.',
    expected: 'CR AW CA(A:AGREED) AN T-RS',
    course: () => ({ plan: [] }),
  }),
  scenario({
    name: 'refund-start-timeout-auto-cancel',
    title: 'Cancelled because no refund was started',
    description: 'The creator lets the 72 hours pass, and the directory cancels the recovery.',
    onTimeout: 'AUTO_CANCEL',
    expected: 'CR AW CA(A:AGREED) AN T-RS CX',
    course: () => ({ plan: [] }),
  }),
  scenario({
    name: 'refund-at-the-last-minute',
    title: 'Refund started in the last minute',
    description: 'The creator starts the refund after 71 hours and 59 minutes, which is in time.',
    expected: 'CR AW CA(A:AGREED) AN RF RC(A:TOTALLY_ACCEPTED) CO',
    course: () => ({ plan: [{ action: 'START_REFUND', when: 'ANALYSED', after: limits.refundStart - minute }] }),
  }),
  scenario({
    name: 'refund-timeout',
    title: 'Late refund',
    description: 'The receiver returns the money two hours after the day that is expected.',
    expected: 'CR AW CA(A:AGREED) AN RF T-RF(A) RC(A:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { refundedAfter: 26 * hour })] }),
  }),
  scenario({
    name: 'tracking-stuck',
    title: 'Slow tracking',
    description: 'The directory needs three quarters of an hour to build the graph of the payments.',
    expected: 'CR T-TR TR AW CA(A:AGREED) AN RF RC(A:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({ tracking: 'BUILT', delays: { ...delays(pace), track: 45 * minute } }),
  }),
];
