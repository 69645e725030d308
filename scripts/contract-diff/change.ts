import type { Contract } from '../generate/contract.ts';

/** What a change asks of the next version number (semver.org). */
export const IMPACTS = ['patch', 'minor', 'major'] as const;
export type Impact = (typeof IMPACTS)[number];

export interface Change {
  readonly impact: Impact;
  readonly rule: string;
  /** `POST /v1/applications` or a component. */
  readonly place: string;
  readonly message: string;
}

/** One house rule: what `redocly diff` does not weigh, or weighs without knowing the dialect. */
export type DiffRule = (base: Contract, revision: Contract) => Omit<Change, 'rule'>[];

export function worst(changes: readonly Change[]): Impact | null {
  return IMPACTS.findLast((impact) => changes.some((change) => change.impact === impact)) ?? null;
}
