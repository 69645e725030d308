import type { Schemas } from '../../app/api.ts';
import { oneOf } from '../../app/search.ts';

export const RESULTS = ['open_hits', 'confirmed_match', 'not_comparable', 'cleared', 'clear'] as const satisfies readonly Schemas['ScreeningResultFilter'][];

/** What stands in the address of the screenings: the filter of their list. */
export interface ScreeningsSearch {
  readonly result?: (typeof RESULTS)[number] | undefined;
}

export function screeningsSearch(search: Readonly<Record<string, unknown>>): ScreeningsSearch {
  return { result: oneOf(RESULTS, search['result']) };
}
