import { knex, sql, statement, type Transaction } from '../../database/index.ts';
import type { Failures } from './lockout.ts';

interface Row {
  failures: number;
  lockouts: number;
  window_start: string;
  locked_until: string | null;
}

const columns = ['failures', 'lockouts', 'window_start', 'locked_until'];

const lock = statement<{ key: string; account: string | null; now: Date }, Row>('auth.throttle.lock', (p) => knex('login_throttle')
  .insert({ key: p.key, account: p.account, window_start: p.now }).onConflict('key').merge(['account']).returning(columns));

const read = statement<{ key: string }, Row>('auth.throttle.read', (p) => knex('login_throttle')
  .select(columns).where({ key: p.key }));

const save = statement<{ key: string; failures: number; lockouts: number; windowStart: Date; lockedUntil: Date | null }>(
  'auth.throttle.save', (p) => knex('login_throttle').where({ key: p.key })
    .update({ failures: p.failures, lockouts: p.lockouts, window_start: p.windowStart, locked_until: p.lockedUntil }), { expectRows: 1 });

const clear = statement<{ key: string }>('auth.throttle.clear', (p) => knex('login_throttle').where({ key: p.key }).delete());

const clearAccount = statement<{ account: string }>('auth.throttle.clearAccount', (p) => knex('login_throttle').where({ account: p.account }).delete());

const deleteOldFailures = statement<{ before: Date }>('auth.throttle.forget', (p) => knex('login_throttle')
  .where(sql`window_start < ${p.before}`).where(sql`coalesce(locked_until, window_start) < ${p.before}`).delete());

const showLock = statement<{ email: string; until: Date | null }>('auth.throttle.showLock', (p) =>
  knex('user_account').where({ email_normalised: p.email }).update({ locked_until: p.until }));

/**
 * Holds the key until the end of the transaction: of parallel attempts at one account each sees the ones before.
 * `account` is whose failures they are, if they are of one.
 */
export async function lockFailures(tx: Transaction, key: string, account: string | null, now: Date): Promise<Failures> {
  return failuresOf((await tx.run(lock, { key, account, now }))[0] as Row);
}

/** Without a lock: many clients share one address, and none waits for another's password hash. */
export async function readFailures(tx: Transaction, key: string): Promise<Failures | null> {
  const [row] = await tx.run(read, { key });
  return row === undefined ? null : failuresOf(row);
}

/** After `lockFailures`. */
export async function saveFailures(tx: Transaction, key: string, { count, locks, windowStart, lockedUntil }: Failures): Promise<void> {
  await tx.run(save, { key, failures: count, lockouts: locks, windowStart, lockedUntil });
}

export async function clearFailures(tx: Transaction, key: string): Promise<void> {
  await tx.run(clear, { key });
}

/** Ends every lock of an account and forgets its failures, wherever they were made. */
export async function clearFailuresOf(tx: Transaction, account: string): Promise<void> {
  await tx.run(clearAccount, { account });
}

/** Lets colleagues see how long nobody can sign in to the account with this address, if there is one. */
export async function showLockedUntil(tx: Transaction, email: string, until: Date | null): Promise<void> {
  await tx.run(showLock, { email, until });
}

/** How many keys were dropped because nothing has happened to them since. */
export async function forgetFailures(tx: Transaction, before: Date): Promise<number> {
  return tx.count(deleteOldFailures, { before });
}

function failuresOf({ failures, lockouts, window_start, locked_until }: Row): Failures {
  return {
    count: failures, locks: lockouts, windowStart: new Date(window_start),
    lockedUntil: locked_until === null ? null : new Date(locked_until),
  };
}

/** The site of an address, or a device that keeps a token. */
export type PlaceKind = 'site' | 'device';

/** More than anybody signs in from; whoever has the password could otherwise fill the table. */
const KEPT = 20;

const find = statement<{ account: string; site: string; device: string; since: Date }, { place: string }>('auth.place.find', (p) =>
  knex('known_place').select('place').where({ account: p.account }).where(sql`place IN (${p.site}, ${p.device})`).where(sql`seen_at > ${p.since}`));

const upsertPlace = statement<{ account: string; place: string; kind: PlaceKind; now: Date }>('auth.place.see', (p) =>
  knex('known_place').insert({ account: p.account, place: p.place, kind: p.kind, seen_at: p.now }).onConflict(['account', 'place']).merge(['seen_at']));

const trim = statement<{ account: string; kind: PlaceKind }>('auth.place.trim', (p) => knex('known_place').where({ account: p.account, kind: p.kind })
  .whereIn('place', knex('known_place').select('place').where({ account: p.account, kind: p.kind }).orderBy([{ column: 'seen_at', order: 'desc' }, 'place']).offset(KEPT)).delete());

const deletePlaces = statement<{ account: string }>('auth.place.forget', (p) => knex('known_place').where({ account: p.account }).delete());

const purge = statement<{ before: Date }>('auth.place.purge', (p) => knex('known_place').where(sql`seen_at < ${p.before}`).delete());

/** Which of the two the person signed in from since then. */
export async function findKnownPlaces(tx: Transaction, places: { account: string; site: string; device: string; since: Date }): Promise<ReadonlySet<string>> {
  return new Set((await tx.run(find, places)).map(({ place }) => place));
}

export async function rememberPlace(tx: Transaction, place: { account: string; place: string; kind: PlaceKind; now: Date }): Promise<void> {
  await tx.run(upsertPlace, place);
  await tx.run(trim, { account: place.account, kind: place.kind });
}

export async function forgetPlaces(tx: Transaction, account: string): Promise<void> {
  await tx.run(deletePlaces, { account });
}

export async function purgePlaces(tx: Transaction, before: Date): Promise<number> {
  return tx.count(purge, { before });
}
