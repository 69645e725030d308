/**
 * Lookups: how a handler finds the record that its request names. A lookup finds or locks the row, compares its
 * environment with those that the caller sees, names the environment for the audit events and the response, and rejects
 * an erased record and a change that the caller may not make, always in this order. A handler receives the record only
 * from a lookup, so it cannot leave out a check (`test/house/lookups.test.ts`).
 *
 * Each module writes the lookups of its own records in a `lookup.ts` beside its store. The tenant is that of the
 * transaction: stores compare it, and row-level security hides the rows of all others.
 */
import type { Environment } from '../contract/operation.ts';
import { Problem } from '../contract/problem.ts';
import type { Transaction } from '../database/transaction.ts';
import { assertEnvironmentWritable } from '../identity/tenant.ts';

/** Members of a request's context that decide which records its caller may read and change. */
export interface Access {
  readonly tx: Transaction;
  readonly visible: readonly Environment[];
  readonly sandboxEnabled: boolean;
  readonly setResourceEnvironment: (environment: Environment) => void;
}

interface Stored {
  readonly environment: Environment;
}

/**
 * Returns the record for the handler, or `erased`. It may also throw the problem of a record that the operation never
 * accepts.
 */
type Unerased<Row extends Stored, Found> = (row: Row) => Found | 'erased';

/**
 * Each method throws the problem `not_found` if the record does not exist, belongs to another tenant or is in an
 * environment that the caller does not see, and then `erased` if it is erased. Callers who could have read an erased
 * record may know that it existed.
 */
export interface Lookup<Found> {
  forReading(): Promise<Found>;
  /**
   * Also throws `sandbox_disabled` if the caller may not change records of the environment. Takes no lock: for a new
   * record that refers to this one, and for records whose changes lock something else.
   */
  forChangeWithoutLock(): Promise<Found>;
}

/** Lookup that locks the row until the transaction ends. Its methods throw the same problems as those of a `Lookup`. */
export interface LockingLookup<Found> {
  /** Reads a record while nothing that belongs to it can change between two statements. */
  forReadingWithLock(): Promise<Found>;
  /** Also throws `sandbox_disabled` if the caller may not change records of the environment. */
  forChange(): Promise<Found>;
}

export function lookupOf<Row extends Stored, Found>(
  access: Access,
  { find, unerased }: { readonly find: () => Promise<Row | null>; readonly unerased: Unerased<Row, Found> },
): Lookup<Found> {
  return {
    forReading: () => readable(access, find, unerased),
    forChangeWithoutLock: () => writable(access, find, unerased),
  };
}

export function lockingLookupOf<Row extends Stored, Found>(
  access: Access,
  { lock, unerased }: { readonly lock: () => Promise<Row | null>; readonly unerased: Unerased<Row, Found> },
): LockingLookup<Found> {
  return {
    forReadingWithLock: () => readable(access, lock, unerased),
    forChange: () => writable(access, lock, unerased),
  };
}

/** Sends the statement of `read` before it returns, so that the caller may send further statements behind it. */
async function readable<Row extends Stored, Found>(
  { visible, setResourceEnvironment }: Access,
  read: () => Promise<Row | null>,
  unerased: Unerased<Row, Found>,
): Promise<Found> {
  const row = await read();
  if (row === null || !visible.includes(row.environment)) throw new Problem('not_found');
  setResourceEnvironment(row.environment);
  const found = unerased(row);
  if (found === 'erased') throw new Problem('erased');
  return found;
}

function writable<Row extends Stored, Found>(
  access: Access,
  read: () => Promise<Row | null>,
  unerased: Unerased<Row, Found>,
): Promise<Found> {
  return readable(access, read, (row) => {
    const found = unerased(row);
    if (found !== 'erased') assertEnvironmentWritable(row.environment, access);
    return found;
  });
}
