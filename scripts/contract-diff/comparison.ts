import type { Verdict } from '../contract/member.ts';
import { verdictOf, worst } from './change.ts';
import type { Change } from './change.ts';
import { isAtLeast, neededVersion } from './version.ts';

/** What `make diff` has to say. */
export interface Comparison {
  readonly changes: readonly Change[];
  readonly verdict: Verdict | 'unchanged';
  readonly from: string;
  readonly to: string;
  /** The lowest version that may carry these changes. */
  readonly needed: string;
  /** Whether the contract's version is high enough. */
  readonly fits: boolean;
  /** Changes that no version excuses. */
  readonly breaches: readonly Change[];
}

export function comparisonOf(changes: readonly Change[], from: string, to: string): Comparison {
  const needed = neededVersion(from, worst(changes));
  return { changes, verdict: changes.length === 0 ? 'unchanged' : verdictOf(changes), from, to, needed, fits: isAtLeast(to, needed), breaches: changes.filter(({ policy }) => policy === true) };
}

export function isAcceptable({ fits, breaches }: Comparison): boolean {
  return fits && breaches.length === 0;
}

/** `2 breaking, 3 non-breaking, 1 docs-only. Version 1.2.0 → 1.3.0; needed: 2.0.0 or higher.` */
export function summaryOf({ changes, from, to, needed, fits, breaches }: Comparison): string {
  const count = (verdict: Verdict) => `${changes.filter((change) => verdictOf([change]) === verdict).length} ${verdict}`;
  const counts = (['breaking', 'non-breaking', 'docs-only'] as const).map(count).join(', ');
  const policy = breaches.length === 0 ? '' : ` ${breaches.length} against the policy of sunsets, which no version excuses.`;
  return `${counts}. Version ${from} → ${to}; needed: ${needed}${fits ? '' : ' or higher'}.${policy}`;
}

/** Operations that a line names; the JSON form has them all. */
const SHOWN = 8;

/** `; reaches GET /v1/things, POST /v1/things and 40 more operations` */
export function reachOf({ operations }: Change): string {
  if (operations === undefined) return '';
  if (operations.length === 0) return '; no operation uses it';
  const more = operations.length - SHOWN;
  return `; reaches ${operations.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more operation${more === 1 ? '' : 's'}` : ''}`;
}
