/**
 * Tables of the failure counters and of known places, and their statements. Used by the throttles of this module and,
 * for unlocking and cleaning up, through the index. Keys are keyed hashes, so the tables identify nobody. A counter
 * must be locked before it is saved, or parallel guesses count once.
 */
import type { RealTime } from '../../base/time.ts';
import {
  code,
  instant,
  integer,
  type RowOf,
  sql,
  statement,
  table,
  text,
  timestamp,
  type Transaction,
} from '../../database/index.ts';
import { userAccount } from '../../identity/tables.ts';
import type { Failures } from './lockout.ts';

const loginThrottle = table(
  'login_throttle',
  {
    key: text(),
    account: text().nullable().changes('the service counts failures by anonymous keys and restarts the count'),
    failures: integer().defaulted().changes('the service counts failures by anonymous keys and restarts the count'),
    lockouts: integer().defaulted().changes('the service counts failures by anonymous keys and restarts the count'),
    windowStart: instant().changes('the service counts failures by anonymous keys and restarts the count'),
    lockedUntil: instant()
      .nullable()
      .defaulted()
      .changes('the service counts failures by anonymous keys and restarts the count'),
  },
  {
    owner: 'platform',
    insertedBy: 'platform',
    example: { key: 'k' },
  },
);

const counted = loginThrottle.except('key', 'account');
type Row = RowOf<typeof counted>;

const lock = statement<{ key: string; account: string | null; now: RealTime }, Row>(
  'auth.throttle.lock',
  (p) => sql`
  ${loginThrottle.insert({ key: p.key, account: p.account, windowStart: p.now })}
  ON CONFLICT (key) DO UPDATE SET ${loginThrottle.assignExcluded('account')} RETURNING ${counted}`,
);

const read = statement<{ key: string }, Row>(
  'auth.throttle.read',
  (p) => sql`SELECT ${counted} FROM login_throttle WHERE ${loginThrottle.equal({ key: p.key })}`,
);

const save = statement<{
  key: string;
  failures: number;
  lockouts: number;
  windowStart: Date;
  lockedUntil: Date | null;
}>(
  'auth.throttle.save',
  (p) => sql`
  UPDATE login_throttle
  SET ${loginThrottle.assign({
    failures: p.failures,
    lockouts: p.lockouts,
    windowStart: p.windowStart,
    lockedUntil: p.lockedUntil,
  })}
  WHERE ${loginThrottle.equal({ key: p.key })}`,
  { expectRows: 1 },
);

const clear = statement<{ key: string }>(
  'auth.throttle.clear',
  (p) => sql`DELETE FROM login_throttle WHERE ${loginThrottle.equal({ key: p.key })}`,
);

const clearAccount = statement<{ account: string }>(
  'auth.throttle.clearAccount',
  (p) => sql`
  DELETE FROM login_throttle WHERE ${loginThrottle.equal({ account: p.account })}`,
);

const deleteOldFailures = statement<{ before: Date }>(
  'auth.throttle.forget',
  (p) => sql`
  DELETE FROM login_throttle WHERE window_start < ${p.before} AND coalesce(locked_until, window_start) < ${p.before}`,
);

const showLock = statement<{ email: string; until: Date | null }>(
  'auth.throttle.showLock',
  (p) => sql`
  UPDATE user_account SET ${userAccount.assign({ lockedUntil: p.until })}
    WHERE ${userAccount.equal({ emailNormalised: p.email })}`,
);

/**
 * Reads a counter and locks it until the transaction ends, so that each of several parallel attempts at one account
 * sees those before it. `account` is the account of the counter, or null if it belongs to none.
 */
export async function lockFailures(
  tx: Transaction,
  key: string,
  account: string | null,
  now: RealTime,
): Promise<Failures> {
  return failuresOf((await tx.run(lock, { key, account, now }))[0] as Row);
}

/**
 * Reads a counter without a lock, because many clients share one address and must not wait for each other's hashing.
 */
export async function readFailures(tx: Transaction, key: string): Promise<Failures | null> {
  const [row] = await tx.run(read, { key });
  return row === undefined ? null : failuresOf(row);
}

/** Saves a counter. Must follow `lockFailures`. */
export async function saveFailures(
  tx: Transaction,
  key: string,
  { count, locks, windowStart, lockedUntil }: Failures,
): Promise<void> {
  await tx.run(save, {
    key,
    failures: count,
    lockouts: locks,
    windowStart,
    lockedUntil,
  });
}

export async function clearFailures(tx: Transaction, key: string): Promise<void> {
  await tx.run(clear, { key });
}

/** Ends every lock of an account and deletes its failures from all locations. */
export async function clearFailuresOf(tx: Transaction, account: string): Promise<void> {
  await tx.run(clearAccount, { account });
}

/** Shows colleagues until when the account with this address, if there is one, is locked. */
export async function showLockedUntil(tx: Transaction, email: string, until: Date | null): Promise<void> {
  await tx.run(showLock, { email, until });
}

/** Deletes counters without events since an instant. Returns how many it deleted. */
export async function forgetFailures(tx: Transaction, before: Date): Promise<number> {
  return tx.count(deleteOldFailures, { before });
}

function failuresOf(row: Row): Failures {
  const { failures: count, lockouts: locks, windowStart, lockedUntil } = loginThrottle.read(row);
  return {
    count,
    locks,
    windowStart,
    lockedUntil,
  };
}

/** Kind of a known place: the site of an address, or a device with a token. */
type PlaceKind = 'site' | 'device';

/** Highest number of places of a kind for each account, so that a person with the password cannot fill the table. */
const KEPT = 20;

const knownPlace = table(
  'known_place',
  {
    account: text(),
    place: text(),
    kind: code<PlaceKind>(),
    seenAt: timestamp().changes('the user signs in from the known place again'),
  },
  {
    owner: 'platform',
    insertedBy: 'platform',
    example: { account: 'a', place: 'p', kind: 'site' },
  },
);

type WantedPlaces = {
  readonly account: string;
  readonly site: string;
  readonly device: string;
  readonly since: Date;
};

const find = statement<WantedPlaces, { place: string }>(
  'auth.place.find',
  (p) => sql`
  SELECT place FROM known_place WHERE ${knownPlace.equal({ account: p.account })} AND place IN (${p.site}, ${p.device})
    AND seen_at > ${p.since}`,
);

type SeenPlace = {
  readonly account: string;
  readonly place: string;
  readonly kind: PlaceKind;
  readonly now: RealTime;
};

const upsertPlace = statement<SeenPlace>(
  'auth.place.see',
  (p) => sql`
  ${knownPlace.insert({
    account: p.account,
    place: p.place,
    kind: p.kind,
    seenAt: p.now,
  })}
  ON CONFLICT (account, place) DO UPDATE SET ${knownPlace.assignExcluded('seenAt')}`,
);

const trim = statement<{ account: string; kind: PlaceKind }>(
  'auth.place.trim',
  (p) => sql`
  DELETE FROM known_place WHERE ${knownPlace.equal({ account: p.account, kind: p.kind })} AND place IN (
    SELECT place FROM known_place WHERE ${knownPlace.equal({ account: p.account, kind: p.kind })}
      ORDER BY seen_at DESC, place OFFSET ${KEPT})`,
);

const deletePlaces = statement<{ account: string }>(
  'auth.place.forget',
  (p) => sql`DELETE FROM known_place WHERE ${knownPlace.equal({ account: p.account })}`,
);

const purge = statement<{ before: Date }>(
  'auth.place.purge',
  (p) => sql`DELETE FROM known_place WHERE seen_at < ${p.before}`,
);

/** Returns which of the two places the person has signed in from since an instant. */
export async function findKnownPlaces(tx: Transaction, places: WantedPlaces): Promise<ReadonlySet<string>> {
  return new Set((await tx.run(find, places)).map(({ place }) => place));
}

export async function rememberPlace(tx: Transaction, place: SeenPlace): Promise<void> {
  await tx.run(upsertPlace, place);
  await tx.run(trim, { account: place.account, kind: place.kind });
}

export async function forgetPlaces(tx: Transaction, account: string): Promise<void> {
  await tx.run(deletePlaces, { account });
}

export async function purgePlaces(tx: Transaction, before: Date): Promise<number> {
  return tx.count(purge, { before });
}
