import type { Schemas } from '../../core/api.ts';
import { oneOf } from '../../core/search.ts';

export const RESULTS = [
  'open_hits',
  'confirmed_match',
  'not_comparable',
  'cleared',
  'clear',
] as const satisfies readonly Schemas['ScreeningResultFilter'][];

/** State of the screenings page in the URL: the filter of the list. */
export interface ScreeningsSearch {
  readonly result?: (typeof RESULTS)[number] | undefined;
}

export function screeningsSearch(search: Readonly<Record<string, unknown>>): ScreeningsSearch {
  return { result: oneOf(RESULTS, search['result']) };
}
