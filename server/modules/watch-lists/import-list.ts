import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { DAY_MILLISECONDS } from '../../base/time.ts';
import { appendAudit } from '../../audit/chain.ts';
import type { components } from '../../contract/generated/types.ts';
import { lockUntilCommit, tryLockUntilCommit } from '../../database/advisory-lock.ts';
import type { Database, Transaction } from '../../database/index.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import { assertComplete } from '../../screening/sources/index.ts';
import { type ListBounds, PUBLISHED_BOUNDS } from '../../screening/sources/list-bounds.ts';
import { type ListFiles as FilesOfList, readList } from '../../screening/sources/reading.ts';
import { type QuarantinedName, type SourceFacts, SourceFileError } from '../../screening/sources/source-file.ts';
import { watchListOf } from './catalogue.ts';
import {
  activeVersion,
  addFilePart,
  addVersion,
  confirmVersion,
  currentHashes,
  type ListKey,
  type ListVersion,
  versionOf,
  VersionWriter,
} from './store.ts';

/** Why a readable file does not become the active version. */
export type Refusal =
  | 'checksum_mismatch'
  | 'version_exists'
  | 'not_yet_published'
  | 'published_otherwise'
  | 'older_than_active'
  | 'too_few_entries'
  | 'suspicious_shrink';

/** Thrown if a file is refused. Nothing has changed, and the active version stays. */
export class ListRefused extends Error {
  override readonly name = 'ListRefused';
  readonly reason: Refusal;

  constructor(reason: Refusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The version that a file would make active. */
export interface Candidate extends Counts, Quarantine {
  readonly version: string;
  readonly publishedOn: string | null;
  readonly sha256: string;
  /** Sequence of the version that it was compared with. */
  readonly after: number;
}

/** The import removes or changes too many entries and has not been confirmed. */
export class SuspiciousShrink extends ListRefused {
  readonly candidate: Candidate;

  constructor(message: string, candidate: Candidate) {
    super('suspicious_shrink', message);
    this.candidate = candidate;
  }
}

/** Files of a list on disk. */
export interface ListFiles extends FilesOfList {
  readonly files: Readonly<Record<string, string>> & { readonly main: string };
}

export interface ImportOrder extends ListKey, ListFiles {
  /** Name of the version; by default its day and the beginning of its checksum. */
  readonly version?: string | undefined;
  /** Day of publication, for files that do not contain it. */
  readonly publishedOn?: string | undefined;
  /** Day from the file name or from the publisher's response, used if no better one is known. */
  readonly namedOn?: string | undefined;
  /** Expected checksum of the main file. */
  readonly sha256?: string | undefined;
  /** Confirmation that missing or changed entries are right. A function is called only if too many are. */
  readonly mayShrink?: boolean | ((candidate: Candidate) => Promise<boolean>) | undefined;
  /** Whether many changes relevant to matching need a confirmation, too. */
  readonly doubtsChanges?: boolean | undefined;
  /** Whether a publication that is older than the active one is accepted. */
  readonly mayBeOlder?: boolean | undefined;
  /** Limits of the file; by default far more than any published list has. */
  readonly bounds?: ListBounds | undefined;
  readonly by: components['schemas']['Actor'];
  readonly now: Date;
  /** Cancels the import at any time before the version is stored. */
  readonly signal?: AbortSignal | undefined;
}

export type Imported =
  | { readonly outcome: 'activated'; readonly version: ListVersion }
  | { readonly outcome: 'unchanged'; readonly version: ListVersion };

/**
 * Largest share of entries that an import may remove without a confirmation. Publishers remove few entries at once, so
 * a file that lacks more is more often broken than right.
 */
const MOST_LOST = 0.05;
/**
 * Largest share of removed and changed entries, because a file that renames everyone matches nobody, as if all had been
 * removed.
 */
const MOST_CHANGED = 0.1;
const PART_BYTES = 1024 * 1024;

/** Called after every ten thousand entities. */
type Progress = (entities: number) => void;

const LONGEST_SILENCE_MILLISECONDS = 10_000;

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
  const checksum = await checksumOf(files.main);
  if (order.sha256 !== undefined && order.sha256.toLowerCase() !== checksum)
    throw new ListRefused(
      'checksum_mismatch',
      `the checksum of the file is ${checksum}, and not the one that was given`,
    );
  const sha256 = await checksumOfAll(files, checksum);
  const active = await activeVersion(tx, list);
  if (active?.sha256 === sha256 && (order.version === undefined || order.version === active.version)) {
    await confirmVersion(tx, list, active.sequence, now);
    return { outcome: 'unchanged', version: { ...active, checkedAt: now.toISOString() } };
  }
  const sequence = (active?.sequence ?? 0) + 1;
  const { facts, ...counts } = await writeEntities(tx, order, sequence, onProgress);
  const publishedOn = facts.publishedAt ?? order.publishedOn ?? facts.namedOn ?? order.namedOn ?? null;
  if (order.publishedOn !== undefined && order.publishedOn !== publishedOn)
    throw new ListRefused(
      'published_otherwise',
      `the file says that it was published on ${publishedOn}, and not on ${order.publishedOn}`,
    );
  assertPlausible(order, active, counts, publishedOn);
  const quarantine = quarantineOf(facts);
  const own = `${publishedOn ?? now.toISOString().slice(0, 10)}.${sha256.slice(0, 8)}`;
  // A publisher may withdraw a file on the day of its publication and publish the previous one again, so the usual name
  // may be taken.
  const version = order.version ?? ((await versionOf(tx, list, own)) === null ? own : `${own}.${sequence}`);
  if ((await versionOf(tx, list, version)) !== null)
    throw new ListRefused('version_exists', `there is a version ${version} of ${listId} already`);
  if (active !== null)
    await assertConfirmed(order, active, {
      version,
      publishedOn,
      sha256,
      after: active.sequence,
      ...counts,
      ...quarantine,
    });
  await addVersion(tx, {
    ...list,
    sequence,
    version,
    restores: null,
    format: order.format,
    publishedOn,
    sha256,
    sizeBytes: (await stat(files.main)).size,
    ...counts,
    ...quarantine,
    ingestedAt: now,
    checkedAt: now,
    ingestedBy: order.by,
  });
  for (const [role, path] of Object.entries(files)) {
    let part = 0;
    for await (const bytes of createReadStream(path, { highWaterMark: PART_BYTES }))
      await addFilePart(tx, {
        ...list,
        sequence,
        role,
        part: part++,
        bytes: bytes as Buffer,
      });
  }
  signal?.throwIfAborted();
  return { outcome: 'activated', version: (await activeVersion(tx, list)) as ListVersion };
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

interface Counts {
  readonly entryCount: number;
  readonly added: number;
  readonly changed: number;
  readonly matchChanged: number;
  readonly removed: number;
}

/** Names that are left out of the entries of a version: their number, and the first of them. */
interface Quarantine {
  readonly quarantinedNames: number;
  readonly quarantine: readonly QuarantinedName[];
}

const MOST_SHOWN = 100;

const quarantineOf = ({ quarantined = [] }: SourceFacts): Quarantine => ({
  quarantinedNames: quarantined.length,
  quarantine: quarantined.slice(0, MOST_SHOWN),
});

/** Reads all entities and writes those that have changed. */
async function writeEntities(
  tx: Transaction,
  { environment, listId, format, files, bounds = PUBLISHED_BOUNDS, signal }: ImportOrder,
  sequence: number,
  onProgress: Progress,
): Promise<Counts & { facts: SourceFacts }> {
  const list = { environment, listId };
  const before = await currentHashes(tx, list);
  const facts: SourceFacts = {};
  const seen = new Map<string, string>();
  const count = { added: 0, changed: 0, matchChanged: 0 };
  const writer = new VersionWriter(tx, list, sequence);
  let read = 0;
  let queriedAt = performance.now();
  for await (const entities of readList({ format, files, bounds }, facts, signal)) {
    for (const { key, content, match, document } of entities) {
      if (++read % 10_000 === 0) onProgress(read);
      const earlier = seen.get(key);
      // Some publishers repeat an entry. Two different entries with one key are two entities or a mistake, which the
      // importer cannot resolve.
      if (earlier === content) continue;
      if (earlier !== undefined)
        throw new SourceFileError(`the file has ${key} twice, and says something else each time`);
      seen.set(key, content);
      const known = before.get(key);
      if (known?.contentHash === content) continue;
      if (known === undefined) count.added++;
      else {
        await writer.end(key);
        count.changed++;
        if (known.matchHash !== match) count.matchChanged++;
      }
      await writer.begin({
        key,
        content,
        match,
        document,
      });
    }
    // The database ends a transaction that is idle for a minute, and for a long time there may be nothing to write.
    if (performance.now() - queriedAt > LONGEST_SILENCE_MILLISECONDS) {
      await activeVersion(tx, list);
      queriedAt = performance.now();
    }
  }
  const removed = [...before.keys()].filter((key) => !seen.has(key));
  for (const key of removed) await writer.end(key);
  await writer.flush();
  return {
    ...count,
    removed: removed.length,
    entryCount: seen.size,
    facts,
  };
}

function assertPlausible(
  { environment, listId, mayBeOlder = false, now }: ImportOrder,
  active: ListVersion | null,
  { entryCount }: Counts,
  publishedOn: string | null,
): void {
  // Allows one day for time zones ahead of UTC.
  const tomorrow = new Date(now.getTime() + DAY_MILLISECONDS).toISOString().slice(0, 10);
  const { fewestEntries } = watchListOf(listId);
  // The lists of the sandbox are invented and have only a few entries.
  if (environment === 'live' && entryCount < fewestEntries)
    throw new ListRefused(
      'too_few_entries',
      `the file has ${entryCount} entries, and ${listId} never had fewer than ${fewestEntries}`,
    );
  // A wrong year would make every later file an older one.
  if (publishedOn !== null && publishedOn > tomorrow)
    throw new ListRefused(
      'not_yet_published',
      `the file says that it was published on ${publishedOn}, which is still to come`,
    );
  if (active === null) return;
  if (
    environment === 'live' &&
    !mayBeOlder &&
    publishedOn !== null &&
    active.publishedOn !== null &&
    publishedOn < active.publishedOn
  ) {
    throw new ListRefused(
      'older_than_active',
      `the file was published on ${publishedOn}, before the active version (${active.publishedOn})`,
    );
  }
}

async function assertConfirmed(
  { mayShrink = false, doubtsChanges = false }: ImportOrder,
  active: ListVersion,
  candidate: Candidate,
): Promise<void> {
  const doubt = doubtOf(active, candidate, doubtsChanges);
  if (doubt === null || (typeof mayShrink === 'boolean' ? mayShrink : await mayShrink(candidate))) return;
  throw new SuspiciousShrink(doubt, candidate);
}

function doubtOf(
  { entryCount }: ListVersion,
  { removed, matchChanged }: Candidate,
  doubtsChanges: boolean,
): string | null {
  if (removed > entryCount * MOST_LOST)
    return (
      `the file lacks ${removed} of the ${entryCount} entries of the active version, which is more than ` +
      `${MOST_LOST * 100} %`
    );
  if (!doubtsChanges || removed + matchChanged <= entryCount * MOST_CHANGED) return null;
  return (
    `the file lacks ${removed} of the ${entryCount} entries of the active version and changes ${matchChanged} in ` +
    `what names are compared with, together more than ${MOST_CHANGED * 100} %`
  );
}

/** Returns the facts about a new active version for the audit log. */
export function factsOf({
  version,
  sha256,
  entryCount,
  added,
  changed,
  matchChanged,
  removed,
  quarantinedNames,
}: ListVersion | Candidate): Readonly<Record<string, string | number>> {
  return {
    version,
    sha256,
    entryCount,
    added,
    changed,
    matchChanged,
    removed,
    ...(quarantinedNames > 0 && { quarantinedNames }),
  };
}

/** Records a version in the platform's own audit chain, because the platform owns the lists. */
export function recordVersion(
  tx: Transaction,
  { environment, listId, by, now }: Pick<ImportOrder, 'environment' | 'listId' | 'by' | 'now'>,
  facts: Readonly<Record<string, string | number>>,
): void {
  appendAudit(tx, {
    occurredAt: now.toISOString(),
    environment,
    actor: { ...by, impersonatorId: null },
    action: 'list.version_ingested',
    resource: { type: 'screening_list', id: listId },
    outcome: 'success',
    changes: Object.entries(facts).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
  });
}
