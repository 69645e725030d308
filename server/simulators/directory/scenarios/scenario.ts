/**
 * This file defines what a scenario is and how its short notation becomes a command of the simulator and a list of
 * expected events. Used by catalogue.ts, state.ts and tests.
 */
import type {
  CreationRefusal,
  DocumentForm,
  ExpiryPolicy,
  Hop,
  Label,
  OpenRecovery,
  Pace,
  PlannedAction,
  RefundReason,
  RejectionReason,
  Role,
  Situation,
} from '../core/model.ts';
import { cents, hour, leastRootAmount, second } from '../core/values.ts';

export interface RunOptions {
  readonly runId: string;
  readonly role: Role;
  /** An amount with two decimal places, at least `leastAmount`. */
  readonly amount: string;
  readonly pace: Pace;
  /** Null uses the policy of the scenario. */
  readonly onTimeout: ExpiryPolicy | null;
  readonly situation: Situation;
  /** The error with which the directory refuses to begin. */
  readonly refusal?: CreationRefusal | undefined;
  /** The receiver of the root payment rejects the refund for this reason. */
  readonly rejectionReason?: RejectionReason | undefined;
  readonly refundReason?: RefundReason | undefined;
  readonly documents?: DocumentForm | undefined;
}

/** An event that the feed must contain, with its report and its result if several events of the type exist. */
interface ExpectedEvent {
  readonly eventType: string;
  readonly of: 'A' | 'B' | 'C' | null;
  readonly result: string | null;
}

/** A recovery that can be played from its first event to its last. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The roles that the tenant's participant can have. */
  readonly roles: readonly Role[];
  readonly onTimeout: ExpiryPolicy;
  /** The events in the feed at the end, provided that `onTimeout` was not changed. */
  readonly expected: (role: Role) => readonly ExpectedEvent[];
  readonly open: (options: RunOptions) => OpenRecovery;
}

const eventNames: Readonly<Record<string, string>> = {
  RO: 'REPORT_OPENED',
  RA: 'REPORT_ACKNOWLEDGED',
  RX: 'REPORT_CANCELLED',
  FO: 'REFUND_OPENED',
  CR: 'CREATED',
  TR: 'TRACKED',
  AW: 'AWAITING_ANALYSIS',
  CA: 'COUNTERPARTY_ANALYSED',
  AN: 'ANALYSED',
  RF: 'REFUNDING',
  RC: 'REFUND_CLOSED',
  CO: 'COMPLETED',
  CX: 'CANCELLED',
  IU: 'INFORMATION_UPDATED',
  'T-TR': 'TRACKING_TIMED_OUT',
  'T-AN': 'ANALYSIS_TIMED_OUT',
  'T-RS': 'REFUND_START_TIMED_OUT',
  'T-RF': 'REFUND_TIMED_OUT',
};

/**
 * Parses the notation of expected events, as in `CR AW CA(A:AGREED) AN`: the initials of an event,
 * its report and its result.
 */
function sequence(text: string): readonly ExpectedEvent[] {
  return text
    .split(' ')
    .filter((token) => token !== '')
    .map((token) => {
      const {
        short = '',
        of,
        result,
      } = /^(?<short>[A-Z-]+)(?:\((?<of>[ABC])(?::(?<result>\w+))?\))?$/.exec(token)?.groups ?? {};
      const name = eventNames[short];
      if (name === undefined) throw new Error(`${token} must be the initials of an event, such as CA(A:AGREED)`);
      return { eventType: `FUNDS_RECOVERY_${name}`, of: isLabel(of) ? of : null, result: result ?? null };
    });
}

/**
 * Filters the events by role. The receiver of the root payment sees only its own report and refund, and no timeout of
 * the tracking.
 */
function seenBy(role: Role, events: readonly ExpectedEvent[]): readonly ExpectedEvent[] {
  if (role === 'SENT') return events;
  return events.filter(
    ({ eventType, of }) => (of === null || of === 'A') && eventType !== 'FUNDS_RECOVERY_TRACKING_TIMED_OUT',
  );
}

function isLabel(text: string | undefined): text is 'A' | 'B' | 'C' {
  return text === 'A' || text === 'B' || text === 'C';
}

/**
 * The milliseconds that one real hour takes at each pace. At `stepped` an hour is an hour, and the sandbox clock
 * is advanced by requests; `realtime` ends within two minutes, so that it can be watched; `instant` ends at once.
 * Time limits are not scaled.
 */
const hourOf: Readonly<Record<Pace, number>> = { instant: 1, realtime: 2 * second, stepped: hour };

/** @returns the milliseconds that this number of real hours takes at this pace */
export function paced(pace: Pace, hours: number): number {
  return Math.max(1, Math.round(hours * hourOf[pace]));
}

type Result<K extends 'analysis' | 'refund'> = Hop[K]['result'];

/** Behaviour of a receiver. By default receivers agree and pay, those nearer to the root payment sooner. */
interface Behaviour {
  readonly analysis?: Result<'analysis'>;
  /** Milliseconds that do not depend on the pace, for scenarios that miss a time limit. */
  readonly analysedAfter?: number;
  readonly acknowledgedAfter?: number;
  readonly refund?: Result<'refund'>;
  readonly refundedAfter?: number;
  /** The part of the root amount, in thousandths. */
  readonly share?: number;
}

const hoursToAnalyse: Readonly<Record<Label, number>> = { A: 6, B: 20, C: 30 };
/** Payment whose receiver made each payment of a chain. */
const payers: Readonly<Record<Label, Label | null>> = { A: null, B: 'A', C: 'B' };
const usualShares: Readonly<Record<Label, number>> = { A: 1000, B: 650, C: 300 };

export function hop(pace: Pace, label: Label, behaviour: Behaviour = {}): Hop {
  const {
    analysis = 'AGREE',
    analysedAfter = paced(pace, hoursToAnalyse[label]),
    refund = 'PAY_ALL',
    refundedAfter = paced(pace, 3),
  } = behaviour;
  return {
    label,
    from: payers[label],
    share: behaviour.share ?? usualShares[label],
    analysis: { result: analysis, after: analysedAfter, acknowledgedAfter: behaviour.acknowledgedAfter },
    refund: { result: refund, after: refundedAfter, part: 400 },
  };
}

/** Returns the payments of money that went from A to B and from there to C, while A kept some of it. */
export function chain(pace: Pace, behaviours: Partial<Record<Label, Behaviour>> = {}): readonly Hop[] {
  return [
    hop(pace, 'A', { refund: 'PAY_PART', ...behaviours.A }),
    hop(pace, 'B', behaviours.B),
    hop(pace, 'C', behaviours.C),
  ];
}

export function delays(pace: Pace): { readonly track: number; readonly open: number; readonly settle: number } {
  return { track: paced(pace, 1 / 20), open: paced(pace, 1 / 20), settle: paced(pace, 1 / 60) };
}

/** Returns the plan in which the creator starts the refund four hours after the analysis. */
export function refundSoon(pace: Pace): PlannedAction {
  return { action: 'START_REFUND', when: 'ANALYSED', after: paced(pace, 4) };
}

type ScenarioCourse = Pick<OpenRecovery, 'tracking' | 'delays' | 'hops' | 'plan'>;

interface Definition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly roles?: readonly Role[];
  readonly onTimeout?: ExpiryPolicy;
  readonly expected: string;
  /** Differences from the simplest scenario: one report, no tracking, agreement, a refund that is started in time. */
  readonly course?: (pace: Pace) => Partial<ScenarioCourse>;
}

/** Smallest amount. The rounded parts of a smaller one could not be distinguished. */
export const leastAmount = '1.00';

export function defineScenario({
  course = () => ({}),
  roles = ['SENT', 'RECEIVED'],
  onTimeout = 'NONE',
  expected,
  ...named
}: Definition): Scenario {
  const events = sequence(expected);
  return {
    ...named,
    roles,
    onTimeout,
    expected: (role) => seenBy(role, events),
    open: (options) => {
      checkOptions(options, roles);
      const { pace, runId, role, amount, situation, rejectionReason, refundReason, documents } = options;
      const { hops = [hop(pace, 'A')], ...rest } = course(pace);
      return {
        type: 'OPEN_RECOVERY',
        runId,
        scenario: named.name,
        role,
        amount,
        situation,
        pace,
        onTimeout: options.onTimeout ?? onTimeout,
        tracking: 'NONE',
        delays: delays(pace),
        plan: [refundSoon(pace)],
        ...rest,
        hops: rejectionReason === undefined ? hops : hops.map(rejectingTheRoot),
        refusal:
          options.refusal ??
          (cents(amount) < cents(leastRootAmount) ? 'FundsRecoveryTransactionNotIndexed' : undefined),
        rejectionReason,
        refundReason,
        documents,
      };
    },
  };
}

function rejectingTheRoot(each: Hop): Hop {
  return each.from === null ? { ...each, refund: { ...each.refund, result: 'NO_BALANCE' } } : each;
}

function checkOptions({ amount, role }: RunOptions, roles: readonly Role[]): void {
  if (cents(amount) < cents(leastAmount)) throw new RangeError(`The amount is at least ${leastAmount}`);
  if (!roles.includes(role)) throw new RangeError(`The role is one of ${roles.join(', ')}`);
}
