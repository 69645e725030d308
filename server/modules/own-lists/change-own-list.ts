import { createHash } from 'node:crypto';
import { uuidv7 } from '../../base/uuid.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import { tryLockUntilCommit } from '../../database/advisory-lock.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context } from '../../request/handler.ts';
import { contentHash, matchHash } from '../../screening/hashes.ts';
import type { ListedEntity } from '../../screening/listed-entity.ts';
import { uncompressed } from '../../screening/sources/compressed.ts';
import { FORMATS } from '../../screening/sources/index.ts';
import { enqueueTask } from '../../tasks/task.ts';
import { COMPARISON_CHANGED } from '../tenant-settings/index.ts';
import { assertStorable, ListRefused, OWN_LIST, refusalOf } from '../watch-lists/index.ts';
import { addOwnList, confirmOwnList, endOwnList, entitiesOf, historyOf, ownList, type OwnListVersion } from './store.ts';

type Replacing = Pick<Context<'replaceOwnList'>, 'tx' | 'principal' | 'environment' | 'body' | 'files' | 'now' | 'signal'>;

/** The index of a list of so many is built while a request waits for it. */
const MOST_ENTRIES = 10_000;
/** So many entries are sealed together: opening one is no work to speak of, and few rows hold a list. */
const PART = 250;

/** Makes what was sent the list of the tenant, in one transaction: whatever is wrong with it, the list before stays. */
export async function replaceOwnList(ctx: Replacing): Promise<{ readonly outcome: 'replaced' | 'unchanged'; readonly version: OwnListVersion }> {
  const { tx, principal, environment, body, files: { file }, now } = ctx;
  await lockOwnList(ctx);
  const before = await ownList(tx, environment);
  try {
    const sha256 = createHash('sha256').update(file.bytes).digest('hex');
    if (body.sha256 !== undefined && body.sha256.toLowerCase() !== sha256) throw new ListRefused('checksum_mismatch', `the checksum of the file is ${sha256}, and not the one that was given`);
    if (before?.sha256 === sha256 && (body.version === undefined || body.version === before.version)) {
      confirmOwnList(tx, before.id, now);
      return { outcome: 'unchanged', version: { ...before, checkedAt: now.toISOString() } };
    }
    const parts = await partsIn(ctx);
    const change = await changeSince(tx, before, parts);
    const usual = `${now.toISOString().slice(0, 10)}.${sha256.slice(0, 8)}`;
    const { last, isTaken } = await historyOf(tx, environment, body.version ?? usual);
    if (isTaken && body.version !== undefined) throw new ListRefused('version_exists', `there is a version ${body.version} of ${OWN_LIST} already`);
    if (before !== null) endOwnList(tx, before.id, now);
    const id = uuidv7();
    // A file may be taken back on the day on which it came, and the one before sent again.
    addOwnList(tx, { id, environment, sequence: last + 1, version: body.version ?? (isTaken ? `${usual}.${last + 1}` : usual), sha256, ...change, ingestedAt: now, checkedAt: now, ingestedBy: actorOf(principal) }, parts);
    enqueueTask(tx, COMPARISON_CHANGED, id, now);
    return { outcome: 'replaced', version: (await ownList(tx, environment))! };
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Removes the list with all that is on it; the version that it had. */
export async function removeOwnList(ctx: Pick<Context<'removeOwnList'>, 'tx' | 'environment' | 'now'>): Promise<OwnListVersion> {
  const { tx, environment, now } = ctx;
  await lockOwnList(ctx);
  const before = await ownList(tx, environment);
  if (before === null) throw new Problem('not_found');
  endOwnList(tx, before.id, now);
  enqueueTask(tx, COMPARISON_CHANGED, before.id, now);
  return before;
}

async function lockOwnList({ tx, environment }: Pick<Replacing, 'tx' | 'environment'>): Promise<void> {
  if (!await tryLockUntilCommit(tx, 'own list', `${environment} ${tx.tenantId!}`)) throw new Problem('import_running');
}

/** All entities of the file, as they will be kept. */
async function partsIn({ files: { file }, signal }: Replacing): Promise<ListedEntity[][]> {
  const parts: ListedEntity[][] = [];
  let count = 0;
  for await (const entity of FORMATS.own.read(await uncompressed(Buffer.from(file.bytes)), {}, {})) {
    assertStorable(entity);
    if (count === MOST_ENTRIES) throw new ListRefused('too_many_entries', `the file has more than ${MOST_ENTRIES} entries`);
    if (count++ % PART === 0) {
      signal.throwIfAborted();
      parts.push([]);
    }
    parts.at(-1)!.push(entity);
  }
  return parts;
}

type Change = Pick<OwnListVersion, 'entryCount' | 'added' | 'changed' | 'matchChanged' | 'removed'>;

/** What is otherwise than on the list before. */
async function changeSince(tx: Transaction, before: OwnListVersion | null, parts: readonly (readonly ListedEntity[])[]): Promise<Change> {
  const known = new Map<string, { readonly content: string; readonly match: string }>();
  if (before !== null) {
    for await (const entities of entitiesOf(tx, before.id)) for (const entity of entities) known.set(entity.key, { content: contentHash(entity), match: matchHash(entity) });
  }
  const entities = parts.flat();
  const count = { entryCount: entities.length, added: 0, changed: 0, matchChanged: 0 };
  for (const entity of entities) {
    const earlier = known.get(entity.key);
    known.delete(entity.key);
    if (earlier === undefined) count.added++;
    else if (earlier.content !== contentHash(entity)) {
      count.changed++;
      if (earlier.match !== matchHash(entity)) count.matchChanged++;
    }
  }
  return { ...count, removed: known.size };
}
