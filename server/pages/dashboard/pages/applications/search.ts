/**
 * The state of the page of one application in its address. Used by shell/routes.tsx and by links to a field or an
 * upload.
 */
import { oneOf, textIn } from '../../core/search.ts';
import type { DocumentType } from './words.ts';

export const DOCUMENT_TYPES: readonly DocumentType[] = [
  'id_card',
  'driver_license',
  'passport',
  'national_migration_card',
  'proof_of_address',
  'proof_of_income',
  'selfie',
  'selfie_video',
  'articles',
  'bylaws',
  'election_minutes',
  'power_of_attorney',
  'financial_statement',
  'other',
];

/** State of the page of one application in the URL: a field is edited, or a document of a type is added. */
export interface ApplicationSearch {
  /** Name of a field (form/values.ts). Any other text opens the form at its beginning. */
  readonly edit?: string | undefined;
  readonly add?: DocumentType | undefined;
}

export function applicationSearch({ edit, add }: Readonly<Record<string, unknown>>): ApplicationSearch {
  return { edit: textIn(edit), add: oneOf(DOCUMENT_TYPES, add) };
}
