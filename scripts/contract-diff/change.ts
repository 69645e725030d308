import type { Verdict } from '../contract/member.ts';
import type { Contract } from '../generate/contract.ts';

/** What a change asks of the next version number (semver.org). */
export const IMPACTS = ['patch', 'minor', 'major'] as const;
export type Impact = (typeof IMPACTS)[number];

export interface Change {
  readonly impact: Impact;
  readonly rule: string;
  /** `POST /v1/applications`, or below a component: `Applicant.email`. */
  readonly place: string;
  readonly message: string;
  /** True for a breach of a promise that no version number excuses. */
  readonly policy?: boolean;
  /** Where it is written in the revision, or was in the base. */
  readonly pointer?: string;
  /** The line of the base at which something stood that is gone. */
  readonly removedFrom?: number;
  /** `schemas/Applicant` */
  readonly component?: string;
  /** The operations that a change of a component reaches. */
  readonly operations?: readonly string[];
}

/** One house rule: what `redocly diff` does not weigh, or weighs without knowing the dialect. `today` is a date, `2026-01-31`. */
export type DiffRule = (base: Contract, revision: Contract, today: string) => Omit<Change, 'rule'>[];

export function worst(changes: readonly Change[]): Impact | null {
  return IMPACTS.findLast((impact) => changes.some((change) => change.impact === impact)) ?? null;
}

const VERDICTS: Readonly<Record<Impact, Verdict>> = { major: 'breaking', minor: 'non-breaking', patch: 'docs-only' };

/** What a comparison comes to, in the words of its readers. */
export function verdictOf(changes: readonly Change[]): Verdict {
  return VERDICTS[worst(changes) ?? 'patch'];
}

export function impactOf(verdict: Verdict): Impact {
  return IMPACTS.find((impact) => VERDICTS[impact] === verdict) ?? 'major';
}
