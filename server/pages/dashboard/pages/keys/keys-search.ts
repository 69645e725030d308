import { oneOf } from '../../app/search.ts';

/** The filters of the list as they stand in the address; what is left out is not filtered. */
export interface KeysSearch {
  readonly view?: 'unused' | 'ended';
  readonly environment?: 'live' | 'test';
}

export function keysSearch(search: Readonly<Record<string, unknown>>): KeysSearch {
  const view = oneOf(['unused', 'ended'] as const, search['view']);
  const environment = oneOf(['live', 'test'] as const, search['environment']);
  return { ...(view !== undefined && { view }), ...(environment !== undefined && { environment }) };
}
