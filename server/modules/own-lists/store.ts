/**
 * Tables of a tenant's own list and their statements. Used by change-own-list.ts and, through the index, by screenings
 * and monitoring. Entries are sealed under the key of their version; ending a version destroys the key, and then nobody
 * can read them.
 */
import type { RealTime } from '../../base/time.ts';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { FairQueue } from '../../base/fair-queue.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  code,
  type InsertOf,
  integer,
  json,
  type RowOf,
  sql,
  statement,
  table,
  text,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { tenant } from '../../identity/tables.ts';
import { destroyKey, makeKey, openingKey, openBytes, sealBytes, type Sealed } from '../subject-keys/index.ts';

export const ownListVersion = table(
  'own_list_version',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    // Counter of the versions of the list. Removing the list does not restart it.
    sequence: integer(),
    version: text(),
    sha256: text(),
    entryCount: integer(),
    added: integer(),
    changed: integer(),
    matchChanged: integer(),
    removed: integer(),
    ingestedAt: timestamp(),
    checkedAt: timestamp().changes('the tenant uploads the same file again'),
    ingestedBy: actor(),
    // Time since which another version, or none, is searched.
    endedAt: timestamp()
      .nullable()
      .defaulted()
      .changes('another version supersedes the version, or the tenant removes the list'),
  },
  {
    owner: 'tenant',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: {
      environment: 'sandbox',
      version: 'v',
      sha256: 's',
      changed: 0,
      matchChanged: 0,
      removed: 0,
    },
  },
);

const ownListPart = table(
  'own_list_part',
  {
    tenantId: uuid(),
    versionId: uuid(),
    environment: code<Environment>(),
    part: integer(),
    content: json<Sealed>(),
  },
  {
    owner: 'tenant',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { environment: 'sandbox', part: 0 },
  },
);

const whole = ownListVersion.except('tenantId');
export type OwnListVersion = RowOf<typeof whole>;

type Of = { tenantId: string; environment: Environment };
type Key = { tenantId: string; id: string };

const findCurrent = statement<Of, OwnListVersion>(
  'ownList.standing',
  (p) => sql`
  SELECT ${whole} FROM own_list_version
    WHERE ${ownListVersion.equal({ tenantId: p.tenantId, environment: p.environment, endedAt: null })}`,
);

const findHistory = statement<Of & { version: string }, { last: number; isTaken: boolean }>(
  'ownList.history',
  (p) => sql`
  SELECT coalesce(max(sequence), 0)::integer AS last,
    coalesce(bool_or(version = ${p.version}::text), false) AS "isTaken"
  FROM own_list_version
  WHERE ${ownListVersion.equal({ tenantId: p.tenantId, environment: p.environment })}`,
);

const findOwner = statement<{ tenantId: string }, { name: string }>(
  'ownList.owner',
  (p) => sql`SELECT ${tenant.select('name')} FROM tenant WHERE ${tenant.equal({ id: p.tenantId })}`,
);

const insert = statement<InsertOf<typeof ownListVersion>>('ownList.insert', (p) => ownListVersion.insert(p));
const insertPart = statement<InsertOf<typeof ownListPart>>('ownList.insertPart', (p) => ownListPart.insert(p));

const check = statement<Key & { now: RealTime }>(
  'ownList.check',
  (p) => sql`
  UPDATE own_list_version SET ${ownListVersion.assign({ checkedAt: p.now })}
    WHERE ${ownListVersion.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

const end = statement<Key & { now: RealTime }>(
  'ownList.end',
  (p) => sql`
  UPDATE own_list_version SET ${ownListVersion.assign({ endedAt: p.now })}
    WHERE ${ownListVersion.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

const deleteParts = statement<Key>(
  'ownList.deleteParts',
  (p) => sql`DELETE FROM own_list_part WHERE ${ownListPart.equal({ tenantId: p.tenantId, versionId: p.id })}`,
);

const ownPart = ownListPart.select('part', 'content');

const findPart = statement<Key & { part: number }, RowOf<typeof ownPart>>(
  'ownList.part',
  (p) => sql`
  SELECT ${ownPart} FROM own_list_part
    WHERE ${ownListPart.equal({ tenantId: p.tenantId, versionId: p.id, part: p.part })}`,
);

const [packed, unpacked] = [promisify(deflate), promisify(inflate)];
/** Compression level. The database would compress the content too, but sealed content does not compress. */
const PACKING = 1;
const ARRAY = '['.charCodeAt(0);

const sealContextOf = (id: string, part: number): string => `own_list_part content ${id} ${part}`;
const subjectOf = (id: string) => ({ type: 'own_list', id }) as const;

/** Returns the tenant's current list in an environment. */
export async function ownList(tx: Transaction, environment: Environment): Promise<OwnListVersion | null> {
  return (await tx.run(findCurrent, { tenantId: tx.tenantId!, environment }))[0] ?? null;
}

/** Returns the number of the last version, and whether a version has this name already. */
export async function historyOf(
  tx: Transaction,
  environment: Environment,
  version: string,
): Promise<{ readonly last: number; readonly isTaken: boolean }> {
  return (await tx.run(findHistory, { tenantId: tx.tenantId!, environment, version }))[0]!;
}

/** Returns the name of the tenant, which is the publisher of the list. */
export async function ownerOf(tx: Transaction): Promise<string> {
  return (await tx.run(findOwner, { tenantId: tx.tenantId! }))[0]!.name;
}

/**
 * Stores a version. The parts are its entries as JSON, compressed and sealed under a key of its own. Each part is sent
 * before the next one is sealed, so that other requests run in between.
 */
export async function addOwnList(
  tx: Transaction,
  version: Omit<InsertOf<typeof ownListVersion>, 'tenantId'> & { readonly ingestedAt: Date },
  parts: Iterable<string>,
  fairQueue: FairQueue,
): Promise<void> {
  const [tenantId, { id, environment, ingestedAt: now }] = [tx.tenantId!, version];
  void tx.run(insert, { ...version, tenantId });
  const key = makeKey(tx, subjectOf(id), { environment, now });
  let part = 0;
  for (const entities of parts) {
    await fairQueue.gap(tenantId);
    await tx.run(insertPart, {
      tenantId,
      versionId: id,
      environment,
      part,
      content: sealBytes(key, sealContextOf(id, part), await packed(entities, { level: PACKING })),
    });
    part++;
  }
}

export function confirmOwnList(tx: Transaction, id: string, now: RealTime): void {
  void tx.run(check, { tenantId: tx.tenantId!, id, now });
}

/** Ends a version and destroys its key, so that its entries cannot be read any more. */
export function endOwnList(tx: Transaction, id: string, now: RealTime): void {
  const key = { tenantId: tx.tenantId!, id };
  void tx.run(end, { ...key, now });
  void tx.run(deleteParts, key);
  destroyKey(tx, subjectOf(id), now);
}

/**
 * Returns one part of a version: the JSON of an array of entities with their hashes, or of the entities alone in older
 * parts. Returns null if there are no more parts.
 */
export async function partOf(tx: Transaction, id: string, part: number): Promise<string | null> {
  const [key, [row]] = await Promise.all([
    openingKey(tx, subjectOf(id)),
    tx.run(findPart, { tenantId: tx.tenantId!, id, part }),
  ]);
  if (key === null || row === undefined) return null;
  const bytes = openBytes(key, sealContextOf(id, part), row.content);
  // Older parts are JSON without compression.
  return (bytes[0] === ARRAY ? bytes : await unpacked(bytes)).toString('utf8');
}
