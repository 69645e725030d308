import { chain, hop, refundSoon } from './parts.ts';
import { scenario } from './define.ts';
import type { Scenario } from './scenario.ts';
import { paced } from './pace.ts';

/** Courses in which everybody keeps the limits. */
export const ordinary: readonly Scenario[] = [
  scenario({
    name: 'happy-path',
    title: 'Full refund',
    description: 'The receiver of the payment agrees and returns all of it.',
    expected: 'CR AW CA(A:AGREED) AN RF RC(A:TOTALLY_ACCEPTED) CO',
  }),
  scenario({
    name: 'tracking-three-reports',
    title: 'Tracked through three accounts',
    description: 'The money went on twice. The first receiver returns a part, the second the rest; the third is not asked any more.',
    expected: 'CR TR AW CA(A:AGREED) CA(B:AGREED) CA(C:AGREED) AN RF RC(A:PARTIALLY_ACCEPTED) RC(B:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({ tracking: 'BUILT', hops: chain(pace) }),
  }),
  scenario({
    name: 'root-rejected',
    title: 'Receiver disagrees',
    description: 'The receiver of the payment disagrees, so the directory completes the recovery without a refund.',
    expected: 'CR AW CA(A:DISAGREED) AN CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { analysis: 'DISAGREE' })], plan: [] }),
  }),
  scenario({
    name: 'broken-chain',
    title: 'Broken chain of agreement',
    description: 'The receiver in the middle disagrees: the one behind it is not asked to pay, although it agreed.',
    roles: ['SENT'],
    expected: 'CR TR AW CA(A:AGREED) CA(B:DISAGREED) CA(C:AGREED) AN RF RC(A:PARTIALLY_ACCEPTED) CO',
    course: (pace) => ({ tracking: 'BUILT', hops: chain(pace, { B: { analysis: 'DISAGREE' } }) }),
  }),
  scenario({
    name: 'partial-refund',
    title: 'Partial refund',
    description: 'The receiver agrees and returns what is left on the account, which it goes on watching.',
    expected: 'CR AW CA(A:AGREED) AN RF RC(A:PARTIALLY_ACCEPTED) CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { refund: 'PAY_PART' })] }),
  }),
  scenario({
    name: 'no-balance',
    title: 'Nothing left to refund',
    description: 'The receiver agrees and rejects the refund, because the account is empty.',
    expected: 'CR AW CA(A:AGREED) AN RF RC(A:REJECTED) CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { refund: 'NO_BALANCE' })] }),
  }),
  scenario({
    name: 'empty-refund-graph',
    title: 'No refund to ask for',
    description: 'Nothing was blocked, so that the refund that the creator starts has no one to ask.',
    expected: 'CR AW CA(A:AGREED) AN RF CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { share: 0 })] }),
  }),
  scenario({
    name: 'information-updated',
    title: 'Information updated twice',
    description: 'The creator changes the information of the report twice while it is analysed.',
    expected: 'CR AW IU IU CA(A:AGREED) AN RF RC(A:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({
      plan: [
        { action: 'UPDATE_INFORMATION', when: 'AWAITING_ANALYSIS', after: paced(pace, 1) },
        { action: 'UPDATE_INFORMATION', when: 'AWAITING_ANALYSIS', after: paced(pace, 2) },
        refundSoon(pace),
      ],
    }),
  }),
  scenario({
    name: 'analysed-at-once',
    title: 'Analysed between two polls',
    description: 'Everything up to the analysis happens within ten milliseconds, so that one poll finds all of it.',
    expected: 'CR TR AW CA(A:AGREED) CA(B:AGREED) CA(C:AGREED) AN RF RC(A:PARTIALLY_ACCEPTED) RC(B:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({
      tracking: 'BUILT', delays: { track: 1, open: 1, settle: 1 },
      hops: chain(pace, { A: { analysedAfter: 2 }, B: { analysedAfter: 4 }, C: { analysedAfter: 6 } }),
    }),
  }),
];
