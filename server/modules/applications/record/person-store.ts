/**
 * Seals and opens the applicant of a row. Used by all stores that read applicants. Throws if the key is gone, which
 * means that the application was erased or the key was lost; periodic work uses `unlessUnreadable`, so that one such
 * row does not stop the others.
 */
import type { KeyObject } from 'node:crypto';
import { type Fragment, sql, type Transaction } from '../../../database/index.ts';
import { isSealedValue, openValue, type Sealed, sealValue, unwrapped, wrappedKey } from '../../subject-keys/index.ts';
import type { Applicant } from './application.ts';

/** Column expression for the wrapped key that opens the applicant of a row of `application`. */
export const WRAPPED: Fragment = sql`${wrappedKey('application', sql`application.tenant_id`, sql`application.id`)}
  AS wrapped`;

/** Stored row. Rows from before sealing was introduced may have an applicant that is not sealed. */
export interface StoredPerson {
  readonly id: string;
  readonly applicant: Applicant | Sealed;
  readonly wrapped: Buffer | null;
}

const sealingContext = (id: string): string => `application applicant ${id}`;

export function sealedPerson(key: KeyObject, id: string, applicant: Applicant): Sealed {
  return sealValue(key, sealingContext(id), applicant);
}

/** Returns the applicant of a row, unsealed. */
export function personOf(tx: Transaction, { id, applicant, wrapped }: StoredPerson): Applicant {
  if (!isSealedValue(applicant)) return applicant;
  if (wrapped === null) throw new Error(`The applicant of the application ${id} is sealed, and its key is gone`);
  return openValue(unwrapped(tx, { type: 'application', id }, wrapped), sealingContext(id), applicant) as Applicant;
}

/** Returns a row with its applicant unsealed. */
export function opened<Row extends StoredPerson>(tx: Transaction, row: Row) {
  const { wrapped: _, applicant: __, ...rest } = row;
  return { ...rest, applicant: personOf(tx, row) };
}

/** Opens a record; returns null if it does not open, so that a lost key stops the work for one applicant only. */
export function unlessUnreadable<T>(open: () => T): T | null {
  try {
    return open();
  } catch {
    return null;
  }
}
