/**
 * This file lists the scenarios of funds recovery that can be played in the sandbox, each with the events
 * that its feed must contain.
 */
import type { Pace } from '../core/model.ts';
import { day, hour, limits, minute } from '../core/values.ts';
import { chain, defineScenario, delays, hop, paced, refundSoon, type Scenario } from './scenario.ts';

/** Scenarios in which all participants meet the time limits. */
const ordinary: readonly Scenario[] = [
  defineScenario({
    name: 'happy-path',
    title: 'Happy path: full refund',
    description: 'The receiver of the payment agrees and returns all of it.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN FO(A) RF RC(A:TOTALLY_ACCEPTED) CO',
  }),
  defineScenario({
    name: 'tracking-three-reports',
    title: 'Tracking three reports: the money went on twice',
    description:
      'The money went on twice. The first receiver returns a part, the second the rest; the ' +
      'third is not asked any more.',
    expected:
      'CR RO(A) TR RO(B) RO(C) AW RA(A) CA(A:AGREED) RA(B) RA(C) CA(B:AGREED) CA(C:AGREED) AN' +
      ' FO(A) RF RC(A:PARTIALLY_ACCEPTED) FO(B) RC(B:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({ tracking: 'BUILT', hops: chain(pace) }),
  }),
  defineScenario({
    name: 'root-rejected',
    title: 'Root rejected: receiver disagrees',
    description: 'The receiver of the payment disagrees, so the directory completes the recovery without a refund.',
    expected: 'CR RO(A) AW RA(A) CA(A:DISAGREED) AN CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { analysis: 'DISAGREE' })], plan: [] }),
  }),
  defineScenario({
    name: 'broken-chain',
    title: 'Broken chain: an agreement in the middle is missing',
    description: 'The receiver in the middle disagrees: the one behind it is not asked to pay, although it agreed.',
    roles: ['SENT'],
    expected:
      'CR RO(A) TR RO(B) RO(C) AW RA(A) CA(A:AGREED) RA(B) RA(C) CA(B:DISAGREED) CA(C:AGREED) AN' +
      ' FO(A) RF RC(A:PARTIALLY_ACCEPTED) CO',
    course: (pace) => ({ tracking: 'BUILT', hops: chain(pace, { B: { analysis: 'DISAGREE' } }) }),
  }),
  defineScenario({
    name: 'partial-refund',
    title: 'Partial refund',
    description: 'The receiver agrees and returns what is left on the account, which it goes on watching.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN FO(A) RF RC(A:PARTIALLY_ACCEPTED) CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { refund: 'PAY_PART' })] }),
  }),
  defineScenario({
    name: 'no-balance',
    title: 'No balance: nothing left to refund',
    description: 'The receiver agrees and rejects the refund, because the account is empty.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN FO(A) RF RC(A:REJECTED) CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { refund: 'NO_BALANCE' })] }),
  }),
  defineScenario({
    name: 'empty-refund-graph',
    title: 'Empty refund graph: no refund to ask for',
    description: 'Nothing was blocked, so that the refund that the creator starts has no one to ask.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN RF CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { share: 0 })] }),
  }),
  defineScenario({
    name: 'information-updated',
    title: 'Information updated, twice',
    description: 'The creator changes the information of the report twice while it is analysed.',
    expected: 'CR RO(A) AW IU IU RA(A) CA(A:AGREED) AN FO(A) RF RC(A:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({
      plan: [
        { action: 'UPDATE_INFORMATION', when: 'AWAITING_ANALYSIS', after: paced(pace, 1) },
        { action: 'UPDATE_INFORMATION', when: 'AWAITING_ANALYSIS', after: paced(pace, 2) },
        refundSoon(pace),
      ],
    }),
  }),
  defineScenario({
    name: 'analysed-at-once',
    title: 'Analysed at once: analysed between two polls',
    description: 'Everything up to the analysis happens within ten milliseconds, so that one poll finds all of it.',
    expected:
      'CR RO(A) TR RO(B) RO(C) AW RA(A) CA(A:AGREED) RA(B) CA(B:AGREED) RA(C) CA(C:AGREED) AN' +
      ' FO(A) RF RC(A:PARTIALLY_ACCEPTED) FO(B) RC(B:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({
      tracking: 'BUILT',
      delays: { track: 1, open: 1, settle: 1 },
      hops: chain(pace, {
        A: { acknowledgedAfter: 2, analysedAfter: 2 },
        B: { acknowledgedAfter: 4, analysedAfter: 4 },
        C: { acknowledgedAfter: 6, analysedAfter: 6 },
      }),
    }),
  }),
];

/**
 * Scenarios in which a time limit passes, or almost does. Limits have their real length at every pace, so the
 * sandbox clock must be advanced.
 */
const overdue: readonly Scenario[] = [
  defineScenario({
    name: 'analysis-timeout',
    title: 'Analysis timeout: late analysis',
    description: 'Two of three receivers answer after the seven days that they have.',
    roles: ['SENT'],
    expected:
      'CR RO(A) TR RO(B) RO(C) AW RA(A) CA(A:AGREED) RA(B) RA(C) T-AN(B) T-AN(C) CA(B:AGREED) CA(C:AGREED) AN' +
      ' FO(A) RF RC(A:PARTIALLY_ACCEPTED) FO(B) RC(B:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({
      tracking: 'BUILT',
      hops: chain(pace, { B: { analysedAfter: 7 * day + 2 * hour }, C: { analysedAfter: 7 * day + 5 * hour } }),
    }),
  }),
  defineScenario({
    name: 'analysis-timeout-auto-agree',
    title: 'Analysis timeout auto agree: silence taken for agreement',
    description: 'A receiver does not answer within seven days, and the directory closes its report as agreed.',
    roles: ['SENT'],
    onTimeout: 'AUTO_AGREE',
    expected:
      'CR RO(A) TR RO(B) AW RA(A) CA(A:AGREED) T-AN(B) RA(B) CA(B:AGREED) AN' +
      ' FO(A) RF RC(A:PARTIALLY_ACCEPTED) FO(B) RC(B:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({ tracking: 'BUILT', hops: chain(pace, { B: { analysis: 'SILENT' } }).slice(0, 2) }),
  }),
  defineScenario({
    name: 'analysis-timeout-auto-disagree',
    title: 'Analysis timeout auto disagree: silence taken for disagreement',
    description:
      'The receiver of the payment does not answer within seven days, and the directory closes ' +
      'its report as disagreed.',
    onTimeout: 'AUTO_DISAGREE',
    expected: 'CR RO(A) AW T-AN(A) RA(A) CA(A:DISAGREED) AN CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { analysis: 'SILENT' })], plan: [] }),
  }),
  defineScenario({
    name: 'analysis-timeout-auto-cancel',
    title: 'Analysis timeout auto cancel: silence ends it',
    description:
      'The receiver of the payment does not answer within seven days, and the directory cancels the recovery.',
    onTimeout: 'AUTO_CANCEL',
    expected: 'CR RO(A) AW T-AN(A) RX(A) CX',
    course: (pace) => ({ hops: [hop(pace, 'A', { analysis: 'SILENT' })], plan: [] }),
  }),
  defineScenario({
    name: 'refund-start-timeout',
    title: 'Refund start timeout: refund never started',
    description: 'The creator lets the 72 hours pass in which it can start the refund. Nothing follows.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN T-RS',
    course: () => ({ plan: [] }),
  }),
  defineScenario({
    name: 'refund-start-timeout-auto-cancel',
    title: 'Refund start timeout auto cancel: no refund was started',
    description: 'The creator lets the 72 hours pass, and the directory cancels the recovery.',
    onTimeout: 'AUTO_CANCEL',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN T-RS RX(A) CX',
    course: () => ({ plan: [] }),
  }),
  defineScenario({
    name: 'refund-at-the-last-minute',
    title: 'Refund at the last minute',
    description: 'The creator starts the refund after 71 hours and 59 minutes, which is in time.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN FO(A) RF RC(A:TOTALLY_ACCEPTED) CO',
    course: () => ({ plan: [{ action: 'START_REFUND', when: 'ANALYSED', after: limits.refundStart - minute }] }),
  }),
  defineScenario({
    name: 'refund-timeout',
    title: 'Refund timeout: late refund',
    description: 'The receiver returns the money two hours after the day that is expected.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN FO(A) RF T-RF(A) RC(A:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { refundedAfter: 26 * hour })] }),
  }),
  defineScenario({
    name: 'tracking-stuck',
    title: 'Tracking stuck: slow tracking',
    description: 'The directory needs three quarters of an hour to build the graph of the payments.',
    expected: 'CR RO(A) T-TR TR AW RA(A) CA(A:AGREED) AN FO(A) RF RC(A:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({ tracking: 'BUILT', delays: { ...delays(pace), track: 45 * minute } }),
  }),
];

/** Six minutes at a pace, and the delays of a directory that needs twice as long for each step. */
const sixMinutes = (pace: Pace): number => paced(pace, 1 / 10);
const slowDelays = (pace: Pace) => ({ ...delays(pace), track: 2 * sixMinutes(pace), open: 2 * sixMinutes(pace) });

/** Recoveries that end early or never start. */
const cancelled: readonly Scenario[] = [
  defineScenario({
    name: 'tracking-refused',
    title: 'Tracking refused: graph too large to be built',
    description:
      'The directory refuses to begin the recovery (FundsRecoveryTrackingTimeout). There is no record and no event.',
    roles: ['SENT'],
    expected: '',
    course: () => ({ tracking: 'REFUSED', plan: [] }),
  }),
  defineScenario({
    name: 'cancelled-when-created',
    title: 'Cancelled when created',
    description: 'The creator cancels before the payments are tracked.',
    roles: ['SENT'],
    expected: 'CR RO(A) RX(A) CX',
    course: (pace) => ({
      tracking: 'BUILT',
      delays: slowDelays(pace),
      plan: [{ action: 'CANCEL', when: 'CREATED', after: sixMinutes(pace) }],
    }),
  }),
  defineScenario({
    name: 'cancelled-when-tracked',
    title: 'Cancelled when tracked',
    description: 'The creator cancels before the receivers are asked.',
    roles: ['SENT'],
    expected: 'CR RO(A) TR RX(A) CX',
    course: (pace) => ({
      tracking: 'BUILT',
      delays: slowDelays(pace),
      plan: [{ action: 'CANCEL', when: 'TRACKED', after: sixMinutes(pace) }],
    }),
  }),
  defineScenario({
    name: 'cancelled-during-analysis',
    title: 'Cancelled during analysis',
    description: 'The creator cancels while the receivers analyse; their reports are cancelled with it.',
    expected: 'CR RO(A) TR RO(B) RO(C) AW RA(A) RX(A) RX(B) RX(C) CX',
    course: (pace) => ({
      tracking: 'BUILT',
      hops: chain(pace),
      plan: [{ action: 'CANCEL', when: 'AWAITING_ANALYSIS', after: paced(pace, 4) }],
    }),
  }),
  defineScenario({
    name: 'cancelled-when-analysed',
    title: 'Cancelled when analysed, instead of refunded',
    description: 'The creator cancels although the receiver agreed.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN RX(A) CX',
    course: (pace) => ({ plan: [{ action: 'CANCEL', when: 'ANALYSED', after: paced(pace, 4) }] }),
  }),
  defineScenario({
    name: 'cancel-while-refunding',
    title: 'Cancel while refunding: too late to cancel',
    description: 'The creator tries to cancel during the refund. The directory refuses, and the refund goes on.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN FO(A) RF RC(A:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({ plan: [refundSoon(pace), { action: 'CANCEL', when: 'REFUNDING', after: paced(pace, 1) }] }),
  }),
];

export const scenarios: readonly Scenario[] = [...ordinary, ...overdue, ...cancelled];

export function scenarioNamed(name: string): Scenario | null {
  return scenarios.find((scenario) => scenario.name === name) ?? null;
}
