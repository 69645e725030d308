/**
 * This file simulates one recovery: it keeps its records and a queue of future events, and moves both through time.
 * Used by fold.ts, lifecycle.ts and state.ts.
 */
import type {
  Action,
  CreationRefusal,
  Fact,
  FactKind,
  OpenRecovery,
  Payment,
  Recovery,
  Refund,
  Refusal,
  Report,
  Run,
  Status,
} from './model.ts';
import {
  cents,
  day,
  fictitiousIspbs,
  type Instant,
  minute,
  partOf,
  sandboxIspb,
  transactionId,
  uuidOf,
} from './values.ts';

interface Step {
  readonly at: Instant;
  readonly take: () => void;
}

/** A queue of future events by time. Events of the same time run in the order in which they were added. */
class EventQueue {
  readonly #steps: Step[] = [];

  add(at: Instant, take: () => void): void {
    const index = this.#steps.findLastIndex((other) => other.at <= at);
    this.#steps.splice(index + 1, 0, { at, take });
  }

  get nextAt(): Instant | null {
    return this.#steps[0]?.at ?? null;
  }

  /** Runs every event up to and including `until`, including events that are added meanwhile. */
  runUntil(until: Instant, arrive: (at: Instant) => void): void {
    for (let step = this.#steps[0]; step !== undefined && step.at <= until; step = this.#steps[0]) {
      this.#steps.shift();
      arrive(step.at);
      step.take();
    }
  }
}

/**
 * The payments of the traced money: the first is made a day before the recovery begins, the others follow every ten
 * minutes.
 */
function paymentsOf(
  tenantId: string,
  { runId, role, amount, hops }: OpenRecovery,
  openedAt: Instant,
): readonly Payment[] {
  const own = sandboxIspb(tenantId);
  const [first, second, third] = fictitiousIspbs(tenantId);
  const payer = role === 'SENT' ? own : first;
  const receivers = role === 'SENT' ? { A: first, B: second, C: third } : { A: own, B: second, C: third };
  return hops.map(({ label, from, share }, index) => {
    const sender = from === null ? payer : receivers[from];
    const settledAt = openedAt - day + index * 10 * minute;
    return {
      label,
      from,
      settledAt,
      sender,
      transactionId: transactionId('E', sender, settledAt, `${tenantId}|${runId}|${label}`),
      receiver: receivers[label],
      amount: partOf(cents(amount), share),
    };
  });
}

/** The error with which the directory refuses to begin the recovery; null when it begins. */
export function refusalOf({ refusal, tracking }: OpenRecovery): CreationRefusal | null {
  return refusal ?? (tracking === 'REFUSED' ? 'FundsRecoveryTrackingTimeout' : null);
}

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const statusRanks: Readonly<Record<Status, number>> = {
  CREATED: 10,
  TRACKED: 20,
  AWAITING_ANALYSIS: 30,
  ANALYSED: 40,
  REFUNDING: 50,
  COMPLETED: 60,
  CANCELLED: 60,
};

export const rankOf = (status: Status): number => statusRanks[status];

/** One recovery while its commands are performed: its records so far and the events that are scheduled. */
export class RecoverySimulation {
  readonly command: OpenRecovery;
  readonly events = new EventQueue();
  readonly own: string;
  readonly creator: string;
  readonly recovery: Mutable<Recovery>;
  readonly payments: readonly Payment[];
  readonly reports: Mutable<Report>[] = [];
  readonly refunds: Mutable<Refund>[] = [];
  readonly #tenantId: string;
  readonly #facts: Fact[] = [];
  readonly #refusals: Refusal[] = [];
  readonly #onStatus: (status: Status) => void;
  #now: Instant;

  /** @param onStatus schedules what the directory and the creator do when a status is reached */
  constructor(
    tenantId: string,
    command: OpenRecovery,
    at: Instant,
    onStatus: (simulation: RecoverySimulation, status: Status) => void,
  ) {
    const [first] = fictitiousIspbs(tenantId);
    this.#tenantId = tenantId;
    this.command = command;
    this.own = sandboxIspb(tenantId);
    this.creator = command.role === 'SENT' ? this.own : first;
    this.#now = at;
    this.#onStatus = (status) => onStatus(this, status);
    this.payments = paymentsOf(tenantId, command, at);
    this.recovery = {
      id: this.id('recovery'),
      rootTransactionId: this.payments.find(({ from }) => from === null)?.transactionId ?? '',
      amount: cents(command.amount),
      creator: this.creator,
      situation: command.situation,
      status: 'CREATED',
      createdAt: at,
      modifiedAt: at,
      updates: 0,
      graphBuiltAt: null,
      refundReason: command.refundReason ?? 'FRAUD',
      documents: command.documents ?? 'COMPLETE',
    };
  }

  get now(): Instant {
    return this.#now;
  }

  get status(): Status {
    return this.recovery.status;
  }

  id(name: string): string {
    return uuidOf(this.#tenantId, this.command.runId, name);
  }

  begin(): void {
    this.recordFact('CREATED');
    this.#onStatus('CREATED');
  }

  schedule(delay: number, step: () => void): void {
    this.events.add(this.#now + delay, step);
  }

  /** Changes the status, which only moves forward. */
  transitionTo(status: Status): void {
    if (statusRanks[status] <= statusRanks[this.status])
      throw new Error(`A recovery cannot change from ${this.status} to ${status}`);
    this.recovery.status = status;
    this.recovery.modifiedAt = this.#now;
    this.recordFact(status);
    this.#onStatus(status);
  }

  recordFact(
    kind: FactKind,
    about: { readonly report?: Report; readonly refund?: Refund; readonly result?: string | null } = {},
  ): void {
    const { refund = null, report = refund?.report ?? null, result = null } = about;
    this.#facts.push({
      at: this.#now,
      kind,
      status: this.status,
      report,
      refund,
      result,
    });
  }

  recordRefusal(action: Action | 'OPEN_RECOVERY', error: Refusal['error']): void {
    this.#refusals.push({ at: this.#now, action, error });
  }

  /** Moves the time forward and runs the events on the way. */
  advance(until: Instant): void {
    this.events.runUntil(until, (at) => {
      this.#now = at;
    });
    this.#now = Math.max(this.#now, until);
  }

  result(startedAt: Instant): Run {
    const { runId, scenario, role, pace } = this.command;
    return {
      runId,
      scenario,
      role,
      pace,
      startedAt,
      own: this.own,
      recovery: refusalOf(this.command) === null ? this.recovery : null,
      payments: this.payments,
      reports: this.reports,
      refunds: this.refunds,
      facts: this.#facts,
      refusals: this.#refusals,
      nextAt: this.events.nextAt,
    };
  }
}
