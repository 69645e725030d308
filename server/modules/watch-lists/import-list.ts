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
import { activeVersion, addFilePart, addVersion, confirmVersion, currentHashes, type ListKey, type ListVersion, versionOf, VersionWriter } from './store.ts';

/** Why a file that can be read does not become the active version. */
export type Refusal = 'checksum_mismatch' | 'version_exists' | 'not_yet_published' | 'published_otherwise' | 'older_than_active' | 'too_few_entries' | 'suspicious_shrink';

/** Nothing has changed: the version that was active stays so. */
export class ListRefused extends Error {
  override readonly name = 'ListRefused';
  readonly reason: Refusal;

  constructor(reason: Refusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** What a file would make active. */
export interface Candidate extends Counts, Quarantine {
  readonly version: string;
  readonly publishedOn: string | null;
  readonly sha256: string;
  /** The sequence of the version that it was compared with. */
  readonly after: number;
}

/** Too many entries are gone or find other people, and nobody has answered for it. */
export class SuspiciousShrink extends ListRefused {
  readonly candidate: Candidate;

  constructor(message: string, candidate: Candidate) {
    super('suspicious_shrink', message);
    this.candidate = candidate;
  }
}

/** A list as it lies on the disk. */
export interface ListFiles extends FilesOfList {
  readonly files: Readonly<Record<string, string>> & { readonly main: string };
}

export interface ImportOrder extends ListKey, ListFiles {
  /** What this version is called; by default its day and the beginning of its checksum. */
  readonly version?: string | undefined;
  /** The day on which the publisher issued it, for files that do not say so. */
  readonly publishedOn?: string | undefined;
  /** The day in the name that the file was sent by, or from which its publisher serves it: where nothing better is known. */
  readonly namedOn?: string | undefined;
  /** What the checksum of the main file must be. */
  readonly sha256?: string | undefined;
  /** Somebody has looked at what is missing or otherwise; asked only if much is. */
  readonly mayShrink?: boolean | ((candidate: Candidate) => Promise<boolean>) | undefined;
  /** Whether somebody is asked, too, where many entries are judged otherwise. */
  readonly doubtsChanges?: boolean | undefined;
  /** An earlier publication than the active one is wanted. */
  readonly mayBeOlder?: boolean | undefined;
  /** How much the file may hold; by default far more than any published list. */
  readonly bounds?: ListBounds | undefined;
  readonly by: components['schemas']['Actor'];
  readonly now: Date;
  /** Whoever asks for the import may give it up at any time before the version is there. */
  readonly signal?: AbortSignal | undefined;
}

export type Imported =
  | { readonly outcome: 'activated'; readonly version: ListVersion }
  | { readonly outcome: 'unchanged'; readonly version: ListVersion };

/** A publisher takes few entries off at once: a file that lacks more is more often broken than right. */
const MOST_LOST = 0.05;
/** A file that renames everybody finds nobody, as if they had been taken off. */
const MOST_CHANGED = 0.1;
const PART_BYTES = 1024 * 1024;

/** Told of every ten thousand entities. */
type Progress = (entities: number) => void;

const LONGEST_SILENCE_MILLISECONDS = 10_000;

/**
 * Reads a file and makes it the active version of its list, in one transaction: whatever goes wrong, and whenever the process ends, the
 * version that was active stays so. Only what differs from that version is written.
 */
export async function importList(database: Database, order: ImportOrder, onProgress?: Progress): Promise<Imported> {
  return database.platform({ tenantId: PLATFORM_TENANT_ID }, async (tx) => {
    await lockUntilCommit(tx, ...lockOf(order));
    const imported = await importFiles(tx, order, onProgress);
    // The lists of the sandbox come with the service, and nobody decides on them.
    if (imported.outcome === 'activated' && order.environment === 'live') recordVersion(tx, order, factsOf(imported.version));
    return imported;
  });
}

const lockOf = ({ environment, listId }: ListKey): [purpose: string, subject: string] => ['watch list', `${environment} ${listId}`];

/** Keeps others from importing the list until the transaction ends; whether nobody does it now. */
export function tryLockList(tx: Transaction, list: ListKey): Promise<boolean> {
  return tryLockUntilCommit(tx, ...lockOf(list));
}

/** The same in a transaction of the platform that holds the lock of the list, without an event. After a refusal it has to be undone. */
export async function importFiles(tx: Transaction, order: ImportOrder, onProgress: Progress = () => {}): Promise<Imported> {
  const { environment, listId, files, now, signal } = order;
  const list = { environment, listId };
  assertComplete(order.format, Object.keys(files));
  const checksum = await checksumOf(files.main);
  if (order.sha256 !== undefined && order.sha256.toLowerCase() !== checksum) throw new ListRefused('checksum_mismatch', `the checksum of the file is ${checksum}, and not the one that was given`);
  const sha256 = await checksumOfAll(files, checksum);
  const active = await activeVersion(tx, list);
  if (active?.sha256 === sha256 && (order.version === undefined || order.version === active.version)) {
    await confirmVersion(tx, list, active.sequence, now);
    return { outcome: 'unchanged', version: { ...active, checkedAt: now.toISOString() } };
  }
  const sequence = (active?.sequence ?? 0) + 1;
  const { facts, ...counts } = await writeEntities(tx, order, sequence, onProgress);
  const publishedOn = facts.publishedAt ?? order.publishedOn ?? facts.namedOn ?? order.namedOn ?? null;
  if (order.publishedOn !== undefined && order.publishedOn !== publishedOn) throw new ListRefused('published_otherwise', `the file says that it was published on ${publishedOn}, and not on ${order.publishedOn}`);
  assertPlausible(order, active, counts, publishedOn);
  const quarantine = quarantineOf(facts);
  const own = `${publishedOn ?? now.toISOString().slice(0, 10)}.${sha256.slice(0, 8)}`;
  // A publisher may take a file back on the day on which it came, and have the one before again.
  const version = order.version ?? (await versionOf(tx, list, own) === null ? own : `${own}.${sequence}`);
  if (await versionOf(tx, list, version) !== null) throw new ListRefused('version_exists', `there is a version ${version} of ${listId} already`);
  if (active !== null) await assertAnsweredFor(order, active, { version, publishedOn, sha256, after: active.sequence, ...counts, ...quarantine });
  await addVersion(tx, {
    ...list, sequence, version, restores: null, format: order.format, publishedOn, sha256, sizeBytes: (await stat(files.main)).size, ...counts, ...quarantine,
    ingestedAt: now, checkedAt: now, ingestedBy: order.by,
  });
  for (const [role, path] of Object.entries(files)) {
    let part = 0;
    for await (const bytes of createReadStream(path, { highWaterMark: PART_BYTES })) await addFilePart(tx, { ...list, sequence, role, part: part++, bytes: bytes as Buffer });
  }
  signal?.throwIfAborted();
  return { outcome: 'activated', version: await activeVersion(tx, list) as ListVersion };
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  if (!(await stat(path).catch(() => null))?.isFile()) throw new SourceFileError(`there is no file ${path}`);
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  return hash.digest('hex');
}

/** That of the main file, or of which file is what where there are several. */
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

/** Names of a version that are left out of their entries: how many, and which the first of them are. */
interface Quarantine {
  readonly quarantinedNames: number;
  readonly quarantine: readonly QuarantinedName[];
}

const MOST_TOLD = 100;

const quarantineOf = ({ quarantined = [] }: SourceFacts): Quarantine => ({ quarantinedNames: quarantined.length, quarantine: quarantined.slice(0, MOST_TOLD) });

/** Reads all entities and writes those that are not as they were. */
async function writeEntities(tx: Transaction, { environment, listId, format, files, bounds = PUBLISHED_BOUNDS, signal }: ImportOrder, sequence: number, onProgress: Progress): Promise<Counts & { facts: SourceFacts }> {
  const list = { environment, listId };
  const before = await currentHashes(tx, list);
  const facts: SourceFacts = {};
  const seen = new Map<string, string>();
  const count = { added: 0, changed: 0, matchChanged: 0 };
  const writer = new VersionWriter(tx, list, sequence);
  let read = 0;
  let said = performance.now();
  for await (const entities of readList({ format, files, bounds }, facts, signal)) {
    for (const { key, content, match, document } of entities) {
      if (++read % 10_000 === 0) onProgress(read);
      const earlier = seen.get(key);
      // Some publishers repeat an entry; two that differ are two entities, or a mistake that nobody can mend here.
      if (earlier === content) continue;
      if (earlier !== undefined) throw new SourceFileError(`the file has ${key} twice, and says something else each time`);
      seen.set(key, content);
      const known = before.get(key);
      if (known?.contentHash === content) continue;
      if (known === undefined) count.added++;
      else {
        await writer.end(key);
        count.changed++;
        if (known.matchHash !== match) count.matchChanged++;
      }
      await writer.begin({ key, content, match, document });
    }
    // A transaction that says nothing for a minute is ended by the database, and there may be nothing to write for long.
    if (performance.now() - said > LONGEST_SILENCE_MILLISECONDS) {
      await activeVersion(tx, list);
      said = performance.now();
    }
  }
  const removed = [...before.keys()].filter((key) => !seen.has(key));
  for (const key of removed) await writer.end(key);
  await writer.flush();
  return { ...count, removed: removed.length, entryCount: seen.size, facts };
}

function assertPlausible({ environment, listId, mayBeOlder = false, now }: ImportOrder, active: ListVersion | null, { entryCount }: Counts, publishedOn: string | null): void {
  // Somewhere it is tomorrow already.
  const tomorrow = new Date(now.getTime() + DAY_MILLISECONDS).toISOString().slice(0, 10);
  const { fewestEntries } = watchListOf(listId);
  // The lists of the sandbox are ours, and have a handful.
  if (environment === 'live' && entryCount < fewestEntries) throw new ListRefused('too_few_entries', `the file has ${entryCount} entries, and ${listId} never had fewer than ${fewestEntries}`);
  // A slip in the year would make every later file an older one.
  if (publishedOn !== null && publishedOn > tomorrow) throw new ListRefused('not_yet_published', `the file says that it was published on ${publishedOn}, which is still to come`);
  if (active === null) return;
  if (environment === 'live' && !mayBeOlder && publishedOn !== null && active.publishedOn !== null && publishedOn < active.publishedOn) {
    throw new ListRefused('older_than_active', `the file was published on ${publishedOn}, before the active version (${active.publishedOn})`);
  }
}

async function assertAnsweredFor({ mayShrink = false, doubtsChanges = false }: ImportOrder, active: ListVersion, candidate: Candidate): Promise<void> {
  const doubt = doubtOf(active, candidate, doubtsChanges);
  if (doubt === null || (typeof mayShrink === 'boolean' ? mayShrink : await mayShrink(candidate))) return;
  throw new SuspiciousShrink(doubt, candidate);
}

function doubtOf({ entryCount }: ListVersion, { removed, matchChanged }: Candidate, doubtsChanges: boolean): string | null {
  if (removed > entryCount * MOST_LOST) return `the file lacks ${removed} of the ${entryCount} entries of the active version, which is more than ${MOST_LOST * 100} %`;
  if (!doubtsChanges || removed + matchChanged <= entryCount * MOST_CHANGED) return null;
  return `the file lacks ${removed} of the ${entryCount} entries of the active version and changes ${matchChanged} in what names are compared with, together more than ${MOST_CHANGED * 100} %`;
}

/** What the log says of a version that has become active. */
export function factsOf({ version, sha256, entryCount, added, changed, matchChanged, removed, quarantinedNames }: ListVersion | Candidate): Readonly<Record<string, string | number>> {
  return { version, sha256, entryCount, added, changed, matchChanged, removed, ...quarantinedNames > 0 && { quarantinedNames } };
}

/** In the chain of the platform: lists are nobody's but the platform's. */
export function recordVersion(tx: Transaction, { environment, listId, by, now }: Pick<ImportOrder, 'environment' | 'listId' | 'by' | 'now'>, facts: Readonly<Record<string, string | number>>): void {
  appendAudit(tx, {
    occurredAt: now.toISOString(), environment, actor: { ...by, impersonatorId: null }, action: 'list.version_ingested', resource: { type: 'screening_list', id: listId }, outcome: 'success',
    changes: Object.entries(facts).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
  });
}
