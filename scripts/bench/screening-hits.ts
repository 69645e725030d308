/** Hits that the service would show at the shipped thresholds, for the measurements of screening. */
import { alertsOf, linesFor } from '../../server/modules/screenings/bands.ts';
import { SHIPPED_PROFILE } from '../../server/modules/tenant-settings/screening-profile.ts';
import type { Found, NameSearch } from '../../server/screening/engine/search.ts';
import type { NameOf } from '../../server/screening/names/token.ts';
import { RULES, subject } from './screening-data.ts';

export const LINES = {
  person: linesFor({ type: 'person' }, SHIPPED_PROFILE),
  organisation: linesFor({ type: 'organisation' }, SHIPPED_PROFILE),
};

/** Returns the hits that the service would show if both lists are sanctions lists. */
export function hitsOf(index: NameSearch, type: NameOf, name: string, birthDate: string | null = null): Found[] {
  return index.search(subject(type, name, birthDate), {
    threshold: LINES[type].sanctions.alert,
    rules: RULES,
    counting: { categories: ['sanction', 'sanction'], alert: alertsOf(LINES[type]), inOfficeOn: null },
  });
}
