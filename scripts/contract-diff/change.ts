/**
 * A change between two contracts, and its effect on the next version. Used by all rules and formats of the comparison.
 */
import type { Contract } from '../contract/contract.ts';
import type { Verdict } from '../contract/member.ts';

/** Effect of a change on the next version number (semver.org). */
export const IMPACTS = ['patch', 'minor', 'major'] as const;
export type Impact = (typeof IMPACTS)[number];

export interface Change {
  readonly impact: Impact;
  readonly rule: string;
  /** `POST /v1/applications`, or a place below a component: `Applicant.email`. */
  readonly place: string;
  readonly message: string;
  /** Whether the change breaks a promise that no version number excuses. */
  readonly policy?: boolean;
  /** Place in the revision, or in the base if it was removed. */
  readonly pointer?: string;
  /** Line of the base at which the removed node was. */
  readonly removedFrom?: number;
  /** Name of the component, such as `schemas/Applicant`. */
  readonly component?: string;
  /** Operations that a change of a component reaches. */
  readonly operations?: readonly string[];
}

/**
 * A rule of this project: judges what `redocly diff` does not judge, or judges without knowing the dialect. `today` is
 * a date, `2026-01-31`.
 */
export type DiffRule = (base: Contract, revision: Contract, today: string) => Omit<Change, 'rule'>[];

export function worst(changes: readonly Change[]): Impact | null {
  return IMPACTS.findLast((impact) => changes.some((change) => change.impact === impact)) ?? null;
}

const VERDICTS: Readonly<Record<Impact, Verdict>> = { major: 'breaking', minor: 'non-breaking', patch: 'docs-only' };

/** Returns the verdict on all changes together. */
export function verdictOf(changes: readonly Change[]): Verdict {
  return VERDICTS[worst(changes) ?? 'patch'];
}

export function impactOf(verdict: Verdict): Impact {
  return IMPACTS.find((impact) => VERDICTS[impact] === verdict) ?? 'major';
}

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;
type Version = readonly [major: number, minor: number, patch: number];

/**
 * Returns the lowest version that may carry changes of this impact (semver.org). Below 1.0.0 nothing is promised yet,
 * so a breaking change needs only a minor version.
 */
export function neededVersion(base: string, impact: Impact | null): string {
  const [major, minor, patch] = parse(base);
  switch (major === 0 && impact === 'major' ? 'minor' : impact) {
    case 'major':
      return `${major + 1}.0.0`;
    case 'minor':
      return `${major}.${minor + 1}.0`;
    case 'patch':
      return `${major}.${minor}.${patch + 1}`;
    case null:
      return base;
  }
}

/** Whether `version` is announced as one that breaks programs written for `base`. */
export function mayBreak(base: string, version: string): boolean {
  return isAtLeast(version, neededVersion(base, 'major'));
}

export function isAtLeast(version: string, needed: string): boolean {
  const [a, b] = [parse(version), parse(needed)];
  const index = a.findIndex((part, position) => part !== b[position]);
  return index < 0 || (a[index] ?? 0) > (b[index] ?? 0);
}

function parse(version: string): Version {
  const match = VERSION.exec(version);
  if (match === null) throw new Error(`info.version ${version} is not of the form 1.2.3`);
  return [Number(match[1]), Number(match[2]), Number(match[3])];
}

/** Result of `make diff`. */
export interface Comparison {
  readonly changes: readonly Change[];
  readonly verdict: Verdict | 'unchanged';
  readonly from: string;
  readonly to: string;
  /** Lowest version that may carry these changes; null if a version is not of the form 1.2.3. */
  readonly needed: string | null;
  /** Whether the contract's version is high enough. */
  readonly fits: boolean;
  /** Changes that no version excuses. */
  readonly breaches: readonly Change[];
}

export function comparisonOf(changes: readonly Change[], from: string, to: string): Comparison {
  const needed = VERSION.test(from) && VERSION.test(to) ? neededVersion(from, worst(changes)) : null;
  const verdict = changes.length === 0 ? 'unchanged' : verdictOf(changes);
  return {
    changes,
    verdict,
    from,
    to,
    needed,
    fits: needed !== null && isAtLeast(to, needed),
    breaches: changes.filter(({ policy }) => policy === true),
  };
}

/** Explains why no needed version is named. */
export function whyUnversioned({ from, to }: Comparison): string {
  return (
    `info.version ${VERSION.test(from) ? to : from} is not of the form 1.2.3, so it is not judged whether the ` +
    'version fits the changes'
  );
}

export function isAcceptable({ fits, breaches }: Comparison): boolean {
  return fits && breaches.length === 0;
}

/**
 * Returns a summary such as `2 breaking, 3 non-breaking, 1 docs-only. Version 1.2.0 → 1.3.0; needed: 2.0.0 or higher.`
 */
export function summaryOf({ changes, from, to, needed, fits, breaches }: Comparison): string {
  const count = (verdict: Verdict) =>
    `${changes.filter((change) => verdictOf([change]) === verdict).length} ${verdict}`;
  const counts = (['breaking', 'non-breaking', 'docs-only'] as const).map(count).join(', ');
  const policy =
    breaches.length === 0 ? '' : ` ${breaches.length} against the policy of sunsets, which no version excuses.`;
  return (
    `${counts}. Version ${from} → ` +
    `${to}${needed === null ? '' : `; needed: ${needed}${fits ? '' : ' or higher'}`}.${policy}`
  );
}

/** Number of operations named in a line; the JSON form has them all. */
const SHOWN = 8;

/** Returns a text such as `; reaches GET /v1/things, POST /v1/things and 40 more operations`. */
export function reachOf({ operations }: Change): string {
  if (operations === undefined) return '';
  if (operations.length === 0) return '; no operation uses it';
  const more = operations.length - SHOWN;
  const others = more > 0 ? ` and ${more} more operation${more === 1 ? '' : 's'}` : '';
  return `; reaches ${operations.slice(0, SHOWN).join(', ')}${others}`;
}
