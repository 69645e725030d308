/**
 * States of a business that monitoring compares. Used by this module and, through the index, by businesses and
 * monitoring. Without a state, a change of it goes unnoticed.
 */
import type { BusinessTime } from '../../base/time.ts';

/** Checks that compare a state of a business with the one that was accepted last. */
export const STATE_CHECKS = ['registry_status', 'ownership_change'] as const;
export type StateCheck = (typeof STATE_CHECKS)[number];

/** The state of each of these checks. */
export type States = Readonly<Record<StateCheck, string>>;

/** A state that was accepted, when, and what comparisons with it have found since. */
export interface AcceptedState {
  readonly state: string;
  readonly at: string;
  /** The other state that the last comparison found, null if it found none, absent before the first comparison. */
  readonly found?: string | null;
  /** How many differences from this state have ended since it was accepted. */
  readonly ended?: number;
}

/** The accepted state of each check. */
export type Accepted = Readonly<Record<StateCheck, AcceptedState>>;

/**
 * Notes what a comparison with an accepted state finds: another state, or null. A difference that has ended is counted,
 * so that the same one is another difference when it returns. Without an earlier comparison it is not known whether
 * there was one.
 */
export function noted(accepted: AcceptedState, found: string | null): AcceptedState {
  const { found: before, ended = 0 } = accepted;
  if (before === found) return accepted;
  if (before === undefined) return { ...accepted, found, ended: found === null ? 1 : 0 };
  return { ...accepted, found, ended: before === null ? ended : ended + 1 };
}

/** Returns states as accepted at a time. */
export function acceptedAt(states: States, at: BusinessTime): Accepted {
  const since = at.toISOString();
  return {
    registry_status: { state: states.registry_status, at: since },
    ownership_change: { state: states.ownership_change, at: since },
  };
}
