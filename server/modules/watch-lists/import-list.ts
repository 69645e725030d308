/**
 * Makes a file the active version of its list, in one transaction. Called by fetching, by shipped lists and, through
 * the index, by uploads and commands. If anything is wrong the active version stays; callers of `importFiles` must roll
 * back after a refusal.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { lockUntilCommit, tryLockUntilCommit } from '../../database/advisory-lock.ts';
import type { Database, Transaction } from '../../database/index.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import { assertComplete } from '../../screening/sources/index.ts';
import { type SourceFacts, SourceFileError } from '../../screening/sources/source-file.ts';
import type { ImportOrder, ListFiles, Quarantine } from './import-order.ts';
import { factsOf, recordVersion } from './list-events.ts';
import { assertConfirmed, assertPlausible, ListRefused } from './plausibility.ts';
import {
  activeVersion,
  addFilePart,
  addVersion,
  confirmVersion,
  type ListKey,
  type ListVersion,
  versionOf,
} from './store.ts';
import { type Progress, writeEntities } from './write-entities.ts';

export type Imported =
  | { readonly outcome: 'activated'; readonly version: ListVersion }
  | { readonly outcome: 'unchanged'; readonly version: ListVersion };

const PART_BYTES = 1024 * 1024;

/**
 * Reads a file and makes it the active version of its list, in one transaction: if the import fails or the process
 * ends, the active version stays. Only differences from that version are written.
 */
export async function importList(database: Database, order: ImportOrder, onProgress?: Progress): Promise<Imported> {
  return database.platform({ tenantId: PLATFORM_TENANT_ID }, async (tx) => {
    await lockUntilCommit(tx, ...lockOf(order));
    const imported = await importFiles(tx, order, onProgress);
    // The lists of the sandbox are part of the release and no person decides on them, so they are not audited.
    if (imported.outcome === 'activated' && order.environment === 'live')
      recordVersion(tx, order, factsOf(imported.version));
    return imported;
  });
}

const lockOf = ({ environment, listId }: ListKey): [purpose: string, subject: string] => [
  'watch list',
  `${environment} ${listId}`,
];

/** Locks the list against other imports until the transaction ends. Returns false if another import is running. */
export function tryLockList(tx: Transaction, list: ListKey): Promise<boolean> {
  return tryLockUntilCommit(tx, ...lockOf(list));
}

/**
 * Imports files in a platform transaction that holds the lock of the list, without an audit event. After a refusal the
 * transaction must be rolled back.
 */
export async function importFiles(
  tx: Transaction,
  order: ImportOrder,
  onProgress: Progress = () => {},
): Promise<Imported> {
  const { environment, listId, files, now, signal } = order;
  const list = { environment, listId };
  assertComplete(order.format, Object.keys(files));
  const sha256 = await checksumOfAll(files, await expectedChecksum(order));
  const active = await activeVersion(tx, list);
  if (active?.sha256 === sha256 && (order.version === undefined || order.version === active.version)) {
    await confirmVersion(tx, list, active.sequence, now);
    return { outcome: 'unchanged', version: { ...active, checkedAt: now.toISOString() } };
  }
  const sequence = (active?.sequence ?? 0) + 1;
  const { facts, ...counts } = await writeEntities(tx, order, sequence, onProgress);
  const publishedOn = publicationDay(order, facts);
  assertPlausible(order, active, counts, publishedOn);
  const described = {
    version: await nameOf(
      tx,
      order,
      sequence,
      `${publishedOn ?? now.toISOString().slice(0, 10)}.${sha256.slice(0, 8)}`,
    ),
    publishedOn,
    sha256,
    ...counts,
    ...quarantineOf(facts),
  };
  if (active !== null) await assertConfirmed(order, active, { ...described, after: active.sequence });
  await addVersion(tx, {
    ...list,
    ...described,
    sequence,
    restores: null,
    format: order.format,
    sizeBytes: (await stat(files.main)).size,
    ingestedAt: now,
    checkedAt: now,
    ingestedBy: order.by,
  });
  await storeFiles(tx, order, sequence);
  signal?.throwIfAborted();
  return { outcome: 'activated', version: (await activeVersion(tx, list)) as ListVersion };
}

/** Returns the checksum of the main file. Rejects a file that has another one than was given. */
async function expectedChecksum({ files, sha256 }: ImportOrder): Promise<string> {
  const checksum = await checksumOf(files.main);
  if (sha256 !== undefined && sha256.toLowerCase() !== checksum)
    throw new ListRefused(
      'checksum_mismatch',
      `the checksum of the file is ${checksum}, and not the one that was given`,
    );
  return checksum;
}

/** Returns the day of publication. The file itself knows best; a day that was given must be the same. */
function publicationDay({ publishedOn: given, namedOn }: ImportOrder, facts: SourceFacts): string | null {
  const publishedOn = facts.publishedAt ?? given ?? facts.namedOn ?? namedOn ?? null;
  if (given !== undefined && given !== publishedOn)
    throw new ListRefused(
      'published_otherwise',
      `the file says that it was published on ${publishedOn}, and not on ${given}`,
    );
  return publishedOn;
}

/** Returns a name that no version of the list has: the given one, or else the usual one. */
async function nameOf(tx: Transaction, order: ImportOrder, sequence: number, usual: string): Promise<string> {
  const { environment, listId } = order;
  const isTaken = async (name: string): Promise<boolean> =>
    (await versionOf(tx, { environment, listId }, name)) !== null;
  // A publisher may withdraw a file on the day of its publication and publish the previous one again, so the usual name
  // may be taken.
  const version = order.version ?? ((await isTaken(usual)) ? `${usual}.${sequence}` : usual);
  if (await isTaken(version))
    throw new ListRefused('version_exists', `there is a version ${version} of ${listId} already`);
  return version;
}

async function storeFiles(tx: Transaction, order: ImportOrder, sequence: number): Promise<void> {
  const { environment, listId, files } = order;
  for (const [role, path] of Object.entries(files)) {
    let part = 0;
    for await (const bytes of createReadStream(path, { highWaterMark: PART_BYTES })) {
      await addFilePart(tx, {
        environment,
        listId,
        sequence,
        role,
        part: part++,
        bytes: bytes as Buffer,
      });
    }
  }
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  if (!(await stat(path).catch(() => null))?.isFile()) throw new SourceFileError(`there is no file ${path}`);
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  return hash.digest('hex');
}

/** Returns the checksum of the main file, or of all files with their roles if there are several. */
async function checksumOfAll({ main: _, ...others }: ListFiles['files'], main: string): Promise<string> {
  const roles = Object.keys(others).sort();
  if (roles.length === 0) return main;
  const parts = [`main ${main}`];
  for (const role of roles) parts.push(`${role} ${await checksumOf(others[role]!)}`);
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

const MOST_SHOWN = 100;

const quarantineOf = ({ quarantined = [] }: SourceFacts): Quarantine => ({
  quarantinedNames: quarantined.length,
  quarantine: quarantined.slice(0, MOST_SHOWN),
});
