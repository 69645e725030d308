import { Agenda } from './agenda.ts';
import type { Action, OpenRecovery, Status } from './command.ts';
import { fictitiousIspbs, sandboxIspb, uuidOf } from './ids.ts';
import type { Fact, FactKind, Payment, Recovery, Refusal, Refund, Report, Run } from './model.ts';
import { cents } from './money.ts';
import { paymentsOf } from './payments.ts';
import type { Instant } from './time.ts';

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const ranks: Readonly<Record<Status, number>> = {
  CREATED: 10, TRACKED: 20, AWAITING_ANALYSIS: 30, ANALYSED: 40, REFUNDING: 50, COMPLETED: 60, CANCELLED: 60,
};

export const rankOf = (status: Status): number => ranks[status];

/** One recovery while its commands are folded: what it is so far, and what will happen to it by itself. */
export class Course {
  readonly command: OpenRecovery;
  readonly agenda = new Agenda();
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

  /** @param onStatus what the directory and the creator do once a status is reached */
  constructor(tenantId: string, command: OpenRecovery, at: Instant, onStatus: (course: Course, status: Status) => void) {
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
    this.note('CREATED');
    this.#onStatus('CREATED');
  }

  after(delay: number, step: () => void): void {
    this.agenda.add(this.#now + delay, step);
  }

  /** Forwards only. */
  reach(status: Status): void {
    if (ranks[status] <= ranks[this.status]) throw new Error(`A recovery does not go from ${this.status} to ${status}`);
    this.recovery.status = status;
    this.recovery.modifiedAt = this.#now;
    this.note(status);
    this.#onStatus(status);
  }

  note(kind: FactKind, about: { readonly report?: Report; readonly refund?: Refund; readonly result?: string | null } = {}): void {
    const { refund = null, report = refund?.report ?? null, result = null } = about;
    this.#facts.push({ at: this.#now, kind, status: this.status, report, refund, result });
  }

  refuse(action: Action | 'OPEN_RECOVERY', error: Refusal['error']): void {
    this.#refusals.push({ at: this.#now, action, error });
  }

  /** Lets time pass, with everything that happens by itself. */
  advance(until: Instant): void {
    this.agenda.runUntil(until, (at) => {
      this.#now = at;
    });
    this.#now = Math.max(this.#now, until);
  }

  result(startedAt: Instant): Run {
    const { runId, scenario, role, pace, tracking } = this.command;
    return {
      runId, scenario, role, pace, startedAt, own: this.own,
      recovery: tracking === 'REFUSED' ? null : this.recovery,
      payments: this.payments, reports: this.reports, refunds: this.refunds, facts: this.#facts, refusals: this.#refusals, nextAt: this.agenda.nextAt,
    };
  }
}
