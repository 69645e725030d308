/** The state of the page of one company in its address: the type of the document that is being added. */
import { oneOf } from '../../core/search.ts';
import { DOCUMENT_TYPES } from '../applications/search.ts';
import type { DocumentType } from '../applications/words.ts';

interface BusinessSearch {
  readonly add?: DocumentType | undefined;
}

export function businessSearch({ add }: Readonly<Record<string, unknown>>): BusinessSearch {
  return { add: oneOf(DOCUMENT_TYPES, add) };
}
