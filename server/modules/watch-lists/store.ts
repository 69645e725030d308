/**
 * Table of the versions of watch lists, and their statements. Used by the files of this module and, through the index,
 * by screenings and monitoring. The version with the highest sequence is active; an import holds the lock of its list.
 */
import type { RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  bigint,
  bytes,
  code,
  date,
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
} from '../../database/index.ts';
import type { FormatName } from '../../screening/sources/index.ts';
import type { QuarantinedName } from '../../screening/sources/source-file.ts';
import type { WatchListId } from './catalogue.ts';

/** Key of a list. Each environment has its own: the sandbox has fictitious lists under the same identifiers. */
export interface ListKey {
  readonly environment: Environment;
  readonly listId: WatchListId;
}

export const listVersion = table(
  'watch_list_version',
  {
    environment: code<Environment>(),
    listId: code<WatchListId>(),
    // Counter of the activations of the list. The greatest one is active.
    sequence: integer(),
    version: text(),
    // Sequence of the version whose entities this one restores.
    restores: integer().nullable(),
    format: code<FormatName>(),
    publishedOn: date().nullable(),
    sha256: text(),
    sizeBytes: bigint(),
    entryCount: integer(),
    added: integer(),
    changed: integer(),
    // Number of changed entities whose matching has changed.
    matchChanged: integer(),
    removed: integer(),
    quarantinedNames: integer(),
    quarantine: json<readonly QuarantinedName[]>(),
    ingestedAt: timestamp(),
    checkedAt: timestamp().changes('a check finds that the publisher still serves the version'),
    ingestedBy: actor(),
  },
  {
    owner: 'platform',
    insertedBy: 'platform',
    example: {
      listId: 'un-csnu',
      sequence: 9,
      version: 'v',
      format: 'un-xml',
      sha256: '0'.repeat(64),
      changed: 0,
      matchChanged: 0,
      removed: 0,
    },
  },
);

const listFile = table(
  'watch_list_file',
  {
    environment: code<Environment>(),
    listId: code<WatchListId>(),
    sequence: integer(),
    role: text(),
    part: integer(),
    bytes: bytes(),
  },
  {
    owner: 'platform',
    insertedBy: 'platform',
    example: {
      listId: 'un-csnu',
      sequence: 9,
      role: 'main',
      part: 0,
    },
  },
);

const whole = listVersion.select();
export type ListVersion = RowOf<typeof whole>;

type Key = { environment: Environment; listId: WatchListId };
type At = Key & { sequence: number };

const findActive = statement<Key, ListVersion>(
  'watchList.active',
  (p) => sql`
  SELECT ${whole} FROM watch_list_version WHERE ${listVersion.equal({ environment: p.environment, listId: p.listId })}
    ORDER BY sequence DESC LIMIT 1`,
);

const findVersion = statement<Key & { version: string }, ListVersion>(
  'watchList.version',
  (p) => sql`
  SELECT ${whole} FROM watch_list_version
    WHERE ${listVersion.equal({ environment: p.environment, listId: p.listId, version: p.version })} ORDER BY sequence
    LIMIT 1`,
);

const findAllActive = statement<{ environment: Environment }, ListVersion>(
  'watchList.allActive',
  (p) => sql`
  SELECT DISTINCT ON (list_id) ${whole} FROM watch_list_version
    WHERE ${listVersion.equal({ environment: p.environment })} ORDER BY list_id, sequence DESC`,
);

const insertVersion = statement<InsertOf<typeof listVersion>>('watchList.insertVersion', (p) => listVersion.insert(p));

const check = statement<At & { now: RealTime }>(
  'watchList.check',
  (p) => sql`
  UPDATE watch_list_version SET ${listVersion.assign({ checkedAt: p.now })}
    WHERE ${listVersion.equal({ environment: p.environment, listId: p.listId, sequence: p.sequence })}`,
  { expectRows: 1 },
);

const insertFile = statement<InsertOf<typeof listFile>>('watchList.insertFile', (p) => listFile.insert(p));

export async function activeVersion(tx: Transaction, list: ListKey): Promise<ListVersion | null> {
  return (await tx.run(findActive, { ...list }))[0] ?? null;
}

export async function versionOf(tx: Transaction, list: ListKey, version: string): Promise<ListVersion | null> {
  return (await tx.run(findVersion, { ...list, version }))[0] ?? null;
}

/** Returns the active version of each list that has one. */
export function activeVersions(tx: Transaction, environment: Environment): Promise<ListVersion[]> {
  return tx.run(findAllActive, { environment });
}

export async function addVersion(tx: Transaction, version: InsertOf<typeof listVersion>): Promise<void> {
  await tx.run(insertVersion, version);
}

export async function confirmVersion(tx: Transaction, list: ListKey, sequence: number, now: RealTime): Promise<void> {
  await tx.run(check, { ...list, sequence, now });
}

export async function addFilePart(tx: Transaction, part: InsertOf<typeof listFile>): Promise<void> {
  await tx.run(insertFile, part);
}

/**
 * Sets a savepoint, so that the writes of an import can be undone (`undoImport`) without the rest of the transaction.
 */
export function keepBeforeImport(tx: Transaction): Promise<unknown> {
  return tx.query(sql`SAVEPOINT list_import`);
}

export function undoImport(tx: Transaction): Promise<unknown> {
  return tx.query(sql`ROLLBACK TO SAVEPOINT list_import`);
}
