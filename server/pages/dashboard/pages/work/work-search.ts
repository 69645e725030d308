import { oneOf } from '../../core/search.ts';
import { KINDS, type WorkKind } from './work-words.ts';

/** State of the work page in the URL: the kind of work that is shown, by default every kind. */
export interface WorkSearch {
  readonly kind?: WorkKind | undefined;
}

export function workSearch(search: Readonly<Record<string, unknown>>): WorkSearch {
  return { kind: oneOf(KINDS, search['kind']) };
}
