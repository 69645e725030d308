import type { ExpiryPolicy, Hop, Label, OpenRecovery, Pace, PlannedAction, Role, Situation } from '../core/model.ts';
import { cents, hour, second } from '../core/values.ts';

export interface RunOptions {
  readonly runId: string;
  readonly role: Role;
  /** Two decimal places, at least `leastAmount`. */
  readonly amount: string;
  readonly pace: Pace;
  /** Null leaves what the scenario is about. */
  readonly onTimeout: ExpiryPolicy | null;
  readonly situation: Situation;
}

/** One step of the feed: an event and, where there are several of it, which report it is about and how that ended. */
interface ExpectedEvent {
  readonly eventType: string;
  readonly of: 'A' | 'B' | 'C' | null;
  readonly result: string | null;
}

/** A course of a recovery from its first event to its last. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What the tenant's own participant can be in it. */
  readonly roles: readonly Role[];
  readonly onTimeout: ExpiryPolicy;
  /** What the feed carries at the end, as long as `onTimeout` is the scenario's own. */
  readonly expected: (role: Role) => readonly ExpectedEvent[];
  readonly open: (options: RunOptions) => OpenRecovery;
}

const eventNames: Readonly<Record<string, string>> = {
  CR: 'CREATED', TR: 'TRACKED', AW: 'AWAITING_ANALYSIS', CA: 'COUNTERPARTY_ANALYSED', AN: 'ANALYSED', RF: 'REFUNDING', RC: 'REFUND_CLOSED',
  CO: 'COMPLETED', CX: 'CANCELLED', IU: 'INFORMATION_UPDATED', 'T-TR': 'TRACKING_TIMED_OUT', 'T-AN': 'ANALYSIS_TIMED_OUT',
  'T-RS': 'REFUND_START_TIMED_OUT', 'T-RF': 'REFUND_TIMED_OUT',
};

/** Reads `CR AW CA(A:AGREED) AN`: events by their initials, the report they are about, how it ended. */
function sequence(text: string): readonly ExpectedEvent[] {
  return text.split(' ').filter((token) => token !== '').map((token) => {
    const { short = '', of, result } = /^(?<short>[A-Z-]+)(?:\((?<of>[ABC])(?::(?<result>\w+))?\))?$/.exec(token)?.groups ?? {};
    const name = eventNames[short];
    if (name === undefined) throw new Error(`${token} is no step of a sequence`);
    return { eventType: `FUNDS_RECOVERY_${name}`, of: isLabel(of) ? of : null, result: result ?? null };
  });
}

/** The receiver of the root payment sees the report and the refund that are its own, and nothing of the tracking's delay. */
function seenBy(role: Role, events: readonly ExpectedEvent[]): readonly ExpectedEvent[] {
  if (role === 'SENT') return events;
  return events.filter(({ eventType, of }) => (of === null || of === 'A') && eventType !== 'FUNDS_RECOVERY_TRACKING_TIMED_OUT');
}

function isLabel(text: string | undefined): text is 'A' | 'B' | 'C' {
  return text === 'A' || text === 'B' || text === 'C';
}

/**
 * Milliseconds of an hour of the field. `stepped` takes the hours that they take, which pass when the clock is advanced;
 * `realtime` unfolds within two minutes while one watches; `instant` is over in a moment. Limits keep their length.
 */
const hourOf: Readonly<Record<Pace, number>> = { instant: 1, realtime: 2 * second, stepped: hour };

/** @returns so many hours of the field at this pace, in milliseconds */
export function paced(pace: Pace, hours: number): number {
  return Math.max(1, Math.round(hours * hourOf[pace]));
}

type Result<K extends 'analysis' | 'refund'> = Hop[K]['result'];

/** How the receivers of a scenario behave where it does not say otherwise: they agree and pay, the nearer ones sooner. */
interface Behaviour {
  readonly analysis?: Result<'analysis'>;
  /** Milliseconds at every pace, where a limit is to be missed. */
  readonly analysedAfter?: number;
  readonly refund?: Result<'refund'>;
  readonly refundedAfter?: number;
  /** Of the root amount, in thousandths. */
  readonly share?: number;
}

const hoursToAnalyse: Readonly<Record<Label, number>> = { A: 6, B: 20, C: 30 };
const usualShares: Readonly<Record<Label, number>> = { A: 1000, B: 650, C: 300 };

export function hop(pace: Pace, label: Label, behaviour: Behaviour = {}): Hop {
  const { analysis = 'AGREE', analysedAfter = paced(pace, hoursToAnalyse[label]), refund = 'PAY_ALL', refundedAfter = paced(pace, 3) } = behaviour;
  return {
    label,
    from: label === 'A' ? null : label === 'B' ? 'A' : 'B',
    share: behaviour.share ?? usualShares[label],
    analysis: { result: analysis, after: analysedAfter },
    refund: { result: refund, after: refundedAfter, part: 400 },
  };
}

/** The money went on from A to B and from there to C. A still holds some of it. */
export function chain(pace: Pace, behaviours: Partial<Record<Label, Behaviour>> = {}): readonly Hop[] {
  return [hop(pace, 'A', { refund: 'PAY_PART', ...behaviours.A }), hop(pace, 'B', behaviours.B), hop(pace, 'C', behaviours.C)];
}

export function delays(pace: Pace): { readonly track: number; readonly open: number; readonly settle: number } {
  return { track: paced(pace, 1 / 20), open: paced(pace, 1 / 20), settle: paced(pace, 1 / 60) };
}

/** The creator asks for the money in the afternoon. */
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
  /** What differs from the plainest course: one report, no tracking, agreement, a refund asked for in time. */
  readonly course?: (pace: Pace) => Partial<ScenarioCourse>;
}

/** Below it the parts of a loss are too small to be told apart. */
export const leastAmount = '1.00';

export function defineScenario({ course = () => ({}), roles = ['SENT', 'RECEIVED'], onTimeout = 'NONE', expected, ...named }: Definition): Scenario {
  const events = sequence(expected);
  return {
    ...named, roles, onTimeout,
    expected: (role) => seenBy(role, events),
    open: (options) => {
      checkOptions(options, roles);
      const { pace, runId, role, amount, situation } = options;
      return {
        type: 'OPEN_RECOVERY', runId, scenario: named.name, role, amount, situation, pace, onTimeout: options.onTimeout ?? onTimeout,
        tracking: 'NONE', delays: delays(pace), hops: [hop(pace, 'A')], plan: [refundSoon(pace)], ...course(pace),
      };
    },
  };
}

function checkOptions({ amount, role }: RunOptions, roles: readonly Role[]): void {
  if (cents(amount) < cents(leastAmount)) throw new RangeError(`The amount is at least ${leastAmount}`);
  if (!roles.includes(role)) throw new RangeError(`The role is one of ${roles.join(', ')}`);
}
