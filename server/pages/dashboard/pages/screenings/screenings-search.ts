/** The filter of the page in its address. Used by screenings-page.tsx and shell/routes.tsx. */
import type { Schemas } from '../../core/api.ts';
import { oneOf } from '../../core/search.ts';

export const RESULTS = [
  'open_hits',
  'confirmed_match',
  'not_comparable',
  'cleared',
  'clear',
] as const satisfies readonly Schemas['ScreeningResultFilter'][];

/** Search parameters of the screenings page: the filter of the list. */
export interface ScreeningsSearch {
  readonly result?: (typeof RESULTS)[number] | undefined;
}

/** Reads the search parameters, without values that are not filters. */
export function screeningsSearch(search: Readonly<Record<string, unknown>>): ScreeningsSearch {
  return { result: oneOf(RESULTS, search['result']) };
}
