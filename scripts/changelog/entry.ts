import type { Change } from '../contract-diff/change.ts';
import { verdictOf } from '../contract-diff/change.ts';

const HEADINGS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Security'] as const;
type Heading = (typeof HEADINGS)[number];

const SECURITY = new Set(['effective-security', 'roles-changed', 'second-factor-changed', 'human-only-changed', 'self-changed', 'oauth-flow-changed', 'personal-data-changed', 'security-requirement-changed', 'security-scheme-changed']);

/** The body of a section as keepachangelog.com describes it; `nameOf` says how the readers call a place of the contract. */
export function entryOf(changes: readonly Change[], nameOf: (place: string) => string): string {
  const told = changes.filter((change) => verdictOf([change]) !== 'docs-only');
  const sections = HEADINGS.flatMap((heading) => {
    const lines = told.filter((change) => headingOf(change) === heading).map((change) => line(change, nameOf));
    return lines.length === 0 ? [] : [[`### ${heading}`, '', ...new Set(lines)].join('\n')];
  });
  if (sections.length > 0) return sections.join('\n\n');
  return changes.length > 0 ? 'Documentation only.' : 'No change of the contract.';
}

function headingOf({ rule, message, impact }: Change): Heading {
  if (SECURITY.has(rule)) return 'Security';
  if (rule === 'deprecation-changed') return 'Deprecated';
  if (rule.endsWith('-removed') || /\b(gone|removed|vanished|no longer a)\b/.test(message)) return 'Removed';
  return impact === 'minor' && /\b(added|new)\b/.test(message) ? 'Added' : 'Changed';
}

function line({ place, message, impact }: Change, nameOf: (place: string) => string): string {
  return `- ${impact === 'major' ? '**Breaking:** ' : ''}\`${nameOf(place)}\`: ${message}`;
}
