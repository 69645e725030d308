/**
 * Writes a section of a changelog from the changes of the contract. Used by scripts/changelog.ts. Text outside the
 * marks was written by people and is kept.
 */
import { verdictOf } from '../contract-diff/change.ts';
import type { Change } from '../contract-diff/change.ts';
import type { ApiModel } from '../generate/model.ts';
import type { SDKS } from './sdk.ts';

export type Language = keyof typeof SDKS;

/** Text above the sections of a new changelog. */
export const HEAD =
  '\n\n' +
  'Versions follow semver.org. What stands between the marks is written by `make changelog` from what\n' +
  'changed in the contract; the rest is written by hand.\n';

/** Returns a function that translates a place of the contract into its name in an SDK. */
export function namesIn(language: Language, { operations }: ApiModel): (place: string) => string {
  const names = new Map(
    operations.map(({ method, path, sdk }) => [`${method.toUpperCase()} ${path}`, `client.${sdk[language]}`]),
  );
  return (place) => {
    const [call = '', ...rest] = place.split(', ');
    return [names.get(call) ?? call, ...rest].join(', ');
  };
}

const HEADINGS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Security'] as const;
type Heading = (typeof HEADINGS)[number];

const SECURITY = new Set([
  'effective-security',
  'roles-changed',
  'second-factor-changed',
  'human-only-changed',
  'self-changed',
  'oauth-flow-changed',
  'personal-data-changed',
  'security-requirement-changed',
  'security-scheme-changed',
]);

/**
 * Returns the body of a section as keepachangelog.com describes it; `nameOf` returns the readers' name of a place of
 * the contract.
 */
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

const BEGIN = '<!-- from the contract -->';
const END = '<!-- end of it -->';

/**
 * Returns a changelog with this body in the section of the version, which becomes the newest section if it is new.
 * Hand-written text in a section is kept: only the text between the marks is replaced.
 */
export function insert(changelog: string, title: string, body: string): string {
  const [head = '', ...sections] = changelog.split(/^(?=## )/m);
  const block = `${BEGIN}\n${body.trim()}\n${END}`;
  const own = sections.find((section) => versionOf(section) === versionOf(title));
  const written =
    own === undefined
      ? [`${title}\n\n${block}`, ...sections]
      : sections.map((section) => (section === own ? replaced(section, block) : section));
  return [head, ...written]
    .map((part) => part.trimEnd())
    .join('\n\n')
    .concat('\n');
}

/** Returns the version of the newest section, ignoring the section of unreleased changes. */
export function newest(changelog: string): string | null {
  const title = /^## (?!Unreleased).*$/m.exec(changelog)?.[0];
  return title === undefined ? null : versionOf(title);
}

function replaced(section: string, block: string): string {
  const [begin, end] = [section.indexOf(BEGIN), section.indexOf(END)];
  return begin < 0 || end < begin
    ? `${section.trimEnd()}\n\n${block}`
    : `${section.slice(0, begin)}${block}${section.slice(end + END.length)}`;
}

function versionOf(section: string): string {
  return /^## (\S+)/.exec(section)?.[1] ?? '';
}
