import type { Pace } from '../core/command.ts';
import { scenario } from './define.ts';
import { paced } from './pace.ts';
import { chain, delays, refundSoon } from './parts.ts';
import type { Scenario } from './scenario.ts';

/** Six minutes, and a directory that needs twice as long for each step. */
const soon = (pace: Pace): number => paced(pace, 1 / 10);
const unhurried = (pace: Pace) => ({ ...delays(pace), track: 2 * soon(pace), open: 2 * soon(pace) });

/** Recoveries that end early, or never begin. */
export const cancelled: readonly Scenario[] = [
  scenario({
    name: 'tracking-refused',
    title: 'Graph too large to be built',
    description: 'The directory refuses to begin the recovery (FundsRecoveryTrackingTimeout). There is no record and no event.',
    roles: ['SENT'],
    expected: '',
    course: () => ({ tracking: 'REFUSED', plan: [] }),
  }),
  scenario({
    name: 'cancelled-when-created',
    title: 'Cancelled at once',
    description: 'The creator cancels before the payments are tracked.',
    roles: ['SENT'],
    expected: 'CR CX',
    course: (pace) => ({ tracking: 'BUILT', delays: unhurried(pace), plan: [{ action: 'CANCEL', when: 'CREATED', after: soon(pace) }] }),
  }),
  scenario({
    name: 'cancelled-when-tracked',
    title: 'Cancelled after the tracking',
    description: 'The creator cancels before the receivers are asked.',
    roles: ['SENT'],
    expected: 'CR TR CX',
    course: (pace) => ({ tracking: 'BUILT', delays: unhurried(pace), plan: [{ action: 'CANCEL', when: 'TRACKED', after: soon(pace) }] }),
  }),
  scenario({
    name: 'cancelled-during-analysis',
    title: 'Cancelled during the analysis',
    description: 'The creator cancels while the receivers analyse; their reports are cancelled with it.',
    expected: 'CR TR AW CX',
    course: (pace) => ({ tracking: 'BUILT', hops: chain(pace), plan: [{ action: 'CANCEL', when: 'AWAITING_ANALYSIS', after: paced(pace, 3) }] }),
  }),
  scenario({
    name: 'cancelled-when-analysed',
    title: 'Cancelled instead of refunded',
    description: 'The creator cancels although the receiver agreed.',
    expected: 'CR AW CA(A:AGREED) AN CX',
    course: (pace) => ({ plan: [{ action: 'CANCEL', when: 'ANALYSED', after: paced(pace, 4) }] }),
  }),
  scenario({
    name: 'cancel-while-refunding',
    title: 'Too late to cancel',
    description: 'The creator tries to cancel during the refund. The directory refuses, and the refund goes on.',
    expected: 'CR AW CA(A:AGREED) AN RF RC(A:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({ plan: [refundSoon(pace), { action: 'CANCEL', when: 'REFUNDING', after: paced(pace, 1) }] }),
  }),
];
