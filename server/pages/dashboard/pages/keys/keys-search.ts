/** The filters of the page in its address. Used by keys-page.tsx and shell/routes.tsx. */
import { oneOf } from '../../core/search.ts';

/** Filters of the list in the URL. An absent one does not filter. */
export interface KeysSearch {
  readonly view?: 'unused' | 'ended';
  readonly environment?: 'live' | 'test';
}

export function keysSearch(search: Readonly<Record<string, unknown>>): KeysSearch {
  const view = oneOf(['unused', 'ended'] as const, search['view']);
  const environment = oneOf(['live', 'test'] as const, search['environment']);
  return { ...(view !== undefined && { view }), ...(environment !== undefined && { environment }) };
}
