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

interface Search<Stored extends { readonly environment: Environment }, Found> {
  /** Reads the row, without a lock. */
  readonly find: () => Promise<Stored | null>;
  /**
   * Returns the record for the handler, or `erased`. It may also throw the problem of a record that the operation never
   * accepts.
   */
  readonly unerased: (stored: Stored) => Found | 'erased';
}

interface LockingSearch<Stored extends { readonly environment: Environment }, Found> extends Search<Stored, Found> {
  /** Reads the row, and locks it until the transaction ends. */
  readonly lock: () => Promise<Stored | null>;
}

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

export interface LockingLookup<Found> extends Lookup<Found> {
  /** Reads the record and locks it, so that nothing that belongs to it changes between two statements. */
  forReadingWithLock(): Promise<Found>;
  /** Locks the record, and throws `sandbox_disabled` if the caller may not change records of its environment. */
  forChange(): Promise<Found>;
}

/** Looks up a record that needs no lock, or whose changes lock something else. */
export function lookupOf<Stored extends { readonly environment: Environment }, Found>(
  access: Access,
  { find, unerased }: Search<Stored, Found>,
): Lookup<Found> {
  return {
    forReading: () => readable(access, find, unerased),
    forChangeWithoutLock: () => writable(access, find, unerased),
  };
}

/** Looks up a record whose row is locked by those who change it. */
export function lockingLookupOf<Stored extends { readonly environment: Environment }, Found>(
  access: Access,
  { lock, ...search }: LockingSearch<Stored, Found>,
): LockingLookup<Found> {
  return {
    ...lookupOf(access, search),
    forReadingWithLock: () => readable(access, lock, search.unerased),
    forChange: () => writable(access, lock, search.unerased),
  };
}

/** Sends the statement of `read` before it returns, so that the caller may send further statements behind it. */
async function readable<Stored extends { readonly environment: Environment }, Found>(
  { visible, setResourceEnvironment }: Access,
  read: () => Promise<Stored | null>,
  unerased: (stored: Stored) => Found | 'erased',
): Promise<Found> {
  const stored = await read();
  if (stored === null || !visible.includes(stored.environment)) throw new Problem('not_found');
  setResourceEnvironment(stored.environment);
  const found = unerased(stored);
  if (found === 'erased') throw new Problem('erased');
  return found;
}

function writable<Stored extends { readonly environment: Environment }, Found>(
  access: Access,
  read: () => Promise<Stored | null>,
  unerased: (stored: Stored) => Found | 'erased',
): Promise<Found> {
  return readable(access, read, (stored) => {
    const found = unerased(stored);
    if (found !== 'erased') assertEnvironmentWritable(stored.environment, access);
    return found;
  });
}
