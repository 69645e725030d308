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

/** The accepted state of each check, and when it was accepted. */
export type Accepted = Readonly<Record<StateCheck, { readonly state: string; readonly at: string }>>;

/** Returns states as accepted at a time. */
export function acceptedAt(states: States, at: BusinessTime): Accepted {
  const since = at.toISOString();
  return {
    registry_status: { state: states.registry_status, at: since },
    ownership_change: { state: states.ownership_change, at: since },
  };
}
