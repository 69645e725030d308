import type { KeyObject } from 'node:crypto';
import { type Fragment, sql, type Transaction } from '../../database/index.ts';
import { isSealedValue, openValue, type Sealed, sealValue, unwrapped, wrappedKey } from '../subject-keys/index.ts';
import type { Applicant } from './application.ts';

/** The key under which the person of a row of `application` is sealed, beside its columns. */
export const WRAPPED: Fragment = sql`${wrappedKey('application', sql`application.tenant_id`, sql`application.id`)} AS wrapped`;

/** A row as it is kept. From before persons were sealed there are some that are not. */
export interface Kept {
  readonly id: string;
  readonly applicant: Applicant | Sealed;
  readonly wrapped: Buffer | null;
}

const placeOf = (id: string): string => `application applicant ${id}`;

export function sealedPerson(key: KeyObject, id: string, applicant: Applicant): Sealed {
  return sealValue(key, placeOf(id), applicant);
}

/** The person whom a row is about. */
export function personOf(tx: Transaction, { id, applicant, wrapped }: Kept): Applicant {
  if (!isSealedValue(applicant)) return applicant;
  if (wrapped === null) throw new Error(`The applicant of the application ${id} is sealed, and its key is gone`);
  return openValue(unwrapped(tx, { type: 'application', id }, wrapped), placeOf(id), applicant) as Applicant;
}

/** A row with its person, as the service works with it. */
export function opened<Row extends Kept>(tx: Transaction, row: Row) {
  const { wrapped: _, applicant: __, ...rest } = row;
  return { ...rest, applicant: personOf(tx, row) };
}

/** Opens a record that was read; null where it does not open, so that a key that was lost stops the work for one applicant only. */
export function unlessUnreadable<T>(open: () => T): T | null {
  try {
    return open();
  } catch {
    return null;
  }
}
