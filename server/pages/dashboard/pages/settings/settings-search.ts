/**
 * Which section is open, in the address. Used by settings-page.tsx, shell/routes.tsx and the checklist, which links to
 * sections.
 */
import { oneOf } from '../../core/search.ts';

/** Names of the sections in URLs, in order. */
export const SECTION_KEYS = [
  'branding',
  'decisionPolicy',
  'ownership',
  'screening',
  'retention',
  'security',
  'queues',
  'cases',
  'risk',
  'customActTypes',
  'fundsRecovery',
  'reports',
  'providers',
  'workflows',
] as const;

export interface SettingsSearch {
  readonly section?: (typeof SECTION_KEYS)[number];
}

export function settingsSearch(search: Readonly<Record<string, unknown>>): SettingsSearch {
  const section = oneOf(SECTION_KEYS, search['section']);
  return section === undefined ? {} : { section };
}
