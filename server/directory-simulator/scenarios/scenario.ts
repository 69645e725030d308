import type { ExpiryPolicy, OpenRecovery, Pace, Role, Situation } from '../core/command.ts';

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
export interface ExpectedEvent {
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
