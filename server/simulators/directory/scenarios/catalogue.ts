/**
 * The scenarios of funds recovery that can be played in the sandbox, each with the events that its feed must contain.
 *
 * `expected` lists these events by code. A, B and C are the receivers of the first, second and third payment; a code
 * may name one and the result of its event, as in `CA(A:AGREED)`.
 *
 *     CR created                RO report opened              AN analysis finished     RF refund started
 *     TR payments tracked       RA report acknowledged        CO completed             FO refund opened
 *     AW awaiting the analysis  CA counterparty has analysed  CX cancelled             RC refund closed
 *     IU information updated    RX report cancelled
 *     T-TR, T-AN, T-RS, T-RF: the time limit of tracking, analysis, start of the refund or refund has passed
 *
 * Times such as `analysedAfter` are milliseconds; `paced(pace, hours)` converts hours of the scenario into them.
 * `share` is a part of the amount in thousandths, `delays` are those of the directory and `plan` holds the creator's
 * actions.
 */
import type { Pace } from '../core/model.ts';
import { day, hour, limits, minute } from '../core/values.ts';
import { chain, defineScenario, delays, hop, paced, refundSoon, type Scenario } from './scenario.ts';

/** Scenarios in which all participants meet the time limits. */
const inTime: readonly Scenario[] = [
  defineScenario({
    name: 'happy-path',
    title: 'Happy path: full refund',
    description: 'The receiver of the payment agrees and returns all of it.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN FO(A) RF RC(A:TOTALLY_ACCEPTED) CO',
  }),
  defineScenario({
    name: 'tracking-three-reports',
    title: 'The money moved on twice: three reports',
    description:
      'The first receiver passed the money on to a second, who passed it on to a third. The first returns a part and ' +
      'the second the rest, so the third is not asked to pay.',
    expected:
      'CR RO(A) TR RO(B) RO(C) AW RA(A) CA(A:AGREED) RA(B) RA(C) CA(B:AGREED) CA(C:AGREED) AN' +
      ' FO(A) RF RC(A:PARTIALLY_ACCEPTED) FO(B) RC(B:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({ tracking: 'BUILT', hops: chain(pace) }),
  }),
  defineScenario({
    name: 'root-rejected',
    title: 'First receiver disagrees',
    description: 'The receiver of the payment disagrees, so the directory completes the recovery without a refund.',
    expected: 'CR RO(A) AW RA(A) CA(A:DISAGREED) AN CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { analysis: 'DISAGREE' })], plan: [] }),
  }),
  defineScenario({
    name: 'broken-chain',
    title: 'Broken chain: the middle receiver disagrees',
    description: 'The second receiver disagrees. The third is not asked to pay, although it agreed.',
    roles: ['SENT'],
    expected:
      'CR RO(A) TR RO(B) RO(C) AW RA(A) CA(A:AGREED) RA(B) RA(C) CA(B:DISAGREED) CA(C:AGREED) AN' +
      ' FO(A) RF RC(A:PARTIALLY_ACCEPTED) CO',
    course: (pace) => ({ tracking: 'BUILT', hops: chain(pace, { B: { analysis: 'DISAGREE' } }) }),
  }),
  defineScenario({
    name: 'partial-refund',
    title: 'Partial refund',
    description: 'The receiver agrees and returns what is left on the account, which it keeps monitoring.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN FO(A) RF RC(A:PARTIALLY_ACCEPTED) CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { refund: 'PAY_PART' })] }),
  }),
  defineScenario({
    name: 'no-balance',
    title: 'No balance: refund rejected',
    description: 'The receiver agrees and rejects the refund, because the account is empty.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN FO(A) RF RC(A:REJECTED) CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { refund: 'NO_BALANCE' })] }),
  }),
  defineScenario({
    name: 'empty-refund-graph',
    title: 'No refundable amount: nothing was blocked',
    description: 'Nothing was blocked on any account, so the refund that the creator starts asks no receiver to pay.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN RF CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { share: 0 })] }),
  }),
  defineScenario({
    name: 'information-updated',
    title: 'Information updated twice',
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
    title: 'Analysed between two polls',
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
 * Scenarios in which a time limit passes, or almost does. The pace does not shorten time limits, so advance the sandbox
 * clock to reach them.
 */
const aroundTimeLimits: readonly Scenario[] = [
  defineScenario({
    name: 'analysis-timeout',
    title: 'Answers after the time limit',
    description: 'Two of three receivers answer after their time limit of seven days.',
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
    title: 'No answer in time: counted as agreement',
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
    title: 'No answer in time: counted as disagreement',
    description:
      'The receiver of the payment does not answer within seven days, and the directory closes ' +
      'its report as disagreed.',
    onTimeout: 'AUTO_DISAGREE',
    expected: 'CR RO(A) AW T-AN(A) RA(A) CA(A:DISAGREED) AN CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { analysis: 'SILENT' })], plan: [] }),
  }),
  defineScenario({
    name: 'analysis-timeout-auto-cancel',
    title: 'No answer in time: recovery cancelled',
    description:
      'The receiver of the payment does not answer within seven days, and the directory cancels the recovery.',
    onTimeout: 'AUTO_CANCEL',
    expected: 'CR RO(A) AW T-AN(A) RX(A) CX',
    course: (pace) => ({ hops: [hop(pace, 'A', { analysis: 'SILENT' })], plan: [] }),
  }),
  defineScenario({
    name: 'refund-start-timeout',
    title: 'Refund not started in time',
    description: 'The creator does not start the refund within 72 hours. Nothing follows.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN T-RS',
    course: () => ({ plan: [] }),
  }),
  defineScenario({
    name: 'refund-start-timeout-auto-cancel',
    title: 'Refund not started in time: recovery cancelled',
    description: 'The creator does not start the refund within 72 hours, and the directory cancels the recovery.',
    onTimeout: 'AUTO_CANCEL',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN T-RS RX(A) CX',
    course: () => ({ plan: [] }),
  }),
  defineScenario({
    name: 'refund-at-the-last-minute',
    title: 'Refund started at the last minute',
    description: 'The creator starts the refund after 71 hours and 59 minutes, which is in time.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN FO(A) RF RC(A:TOTALLY_ACCEPTED) CO',
    course: () => ({ plan: [{ action: 'START_REFUND', when: 'ANALYSED', after: limits.refundStart - minute }] }),
  }),
  defineScenario({
    name: 'refund-timeout',
    title: 'Refund after the time limit',
    description: 'The receiver returns the money 26 hours after the request; the time limit is 24 hours.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN FO(A) RF T-RF(A) RC(A:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({ hops: [hop(pace, 'A', { refundedAfter: 26 * hour })] }),
  }),
  defineScenario({
    name: 'tracking-stuck',
    title: 'Tracking takes longer than its time limit',
    description: 'The directory needs 45 minutes to build the graph of the payments; the time limit is 30 minutes.',
    expected: 'CR RO(A) T-TR TR AW RA(A) CA(A:AGREED) AN FO(A) RF RC(A:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({ tracking: 'BUILT', delays: { ...delays(pace), track: 45 * minute } }),
  }),
];

/** Six minutes of the scenario, and delays twice as long, so that the creator can cancel before the next step. */
const sixMinutes = (pace: Pace): number => paced(pace, 1 / 10);
const slowDelays = (pace: Pace) => ({ ...delays(pace), track: 2 * sixMinutes(pace), open: 2 * sixMinutes(pace) });

/** Recoveries that end early or never start. */
const endedEarly: readonly Scenario[] = [
  defineScenario({
    name: 'tracking-refused',
    title: 'Tracking refused: graph too large',
    description:
      'The directory refuses to begin the recovery (FundsRecoveryTrackingTimeout). There is no record and no event.',
    roles: ['SENT'],
    expected: '',
    course: () => ({ tracking: 'REFUSED', plan: [] }),
  }),
  defineScenario({
    name: 'cancelled-when-created',
    title: 'Cancelled before the tracking',
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
    title: 'Cancelled after the tracking, before the analysis',
    description: 'The creator cancels before the receivers are asked to analyse.',
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
    title: 'Cancelled during the analysis',
    description: 'The creator cancels while the receivers analyse; the directory cancels their reports.',
    expected: 'CR RO(A) TR RO(B) RO(C) AW RA(A) RX(A) RX(B) RX(C) CX',
    course: (pace) => ({
      tracking: 'BUILT',
      hops: chain(pace),
      plan: [{ action: 'CANCEL', when: 'AWAITING_ANALYSIS', after: paced(pace, 4) }],
    }),
  }),
  defineScenario({
    name: 'cancelled-when-analysed',
    title: 'Cancelled after the analysis, instead of refunded',
    description: 'The creator cancels although the receiver agreed.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN RX(A) CX',
    course: (pace) => ({ plan: [{ action: 'CANCEL', when: 'ANALYSED', after: paced(pace, 4) }] }),
  }),
  defineScenario({
    name: 'cancel-while-refunding',
    title: 'Too late to cancel: refund in progress',
    description: 'The creator tries to cancel during the refund. The directory refuses, and the refund goes on.',
    expected: 'CR RO(A) AW RA(A) CA(A:AGREED) AN FO(A) RF RC(A:TOTALLY_ACCEPTED) CO',
    course: (pace) => ({ plan: [refundSoon(pace), { action: 'CANCEL', when: 'REFUNDING', after: paced(pace, 1) }] }),
  }),
];

export const scenarios: readonly Scenario[] = [...inTime, ...aroundTimeLimits, ...endedEarly];

export function scenarioNamed(name: string): Scenario | null {
  return scenarios.find((scenario) => scenario.name === name) ?? null;
}
