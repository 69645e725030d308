/**
 * Reads the file of a tenant's own list, and replaces or removes the list. Exported by the index, whose callers are the
 * handlers of screenings. Files are read in a thread and in memory only, because they are about persons. A faulty file
 * is refused and the previous list stays.
 */
import { FairQueue } from '../../base/fair-queue.ts';
import { uuidv7 } from '../../base/uuid.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import { tryLockUntilCommit } from '../../database/advisory-lock.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context, PreparationInput } from '../../request/handler.ts';
import { contentHash, matchHash } from '../../screening/hashes.ts';
import type { ListedEntity } from '../../screening/listed-entity.ts';
import { OWN_BOUNDS } from '../../screening/sources/list-bounds.ts';
import { type ReadEntity, readList } from '../../screening/sources/reading.ts';
import { enqueueTask } from '../../tasks/task.ts';
import { COMPARISON_CHANGED } from '../tenant-settings/index.ts';
import { ListRefused, OWN_LIST, refusalOf } from '../watch-lists/index.ts';
import { addOwnList, confirmOwnList, endOwnList, historyOf, ownList, type OwnListVersion, partOf } from './store.ts';

type Replacing = Pick<
  Context<'replaceOwnList'>,
  'tx' | 'principal' | 'environment' | 'body' | 'files' | 'now' | 'signal'
>;

/** Limits of a sealed part: opening a part takes little work, and a list has few rows. */
const PART_ENTITIES = 250;
const PART_CHARACTERS = 64 * 1024;

/** Reads one file at a time, for each tenant in turn. */
const readings = new FairQueue(1);

/** Content of a file, or the reason why it cannot be read. */
type ReadFile = readonly ReadEntity[] | { readonly refusal: unknown };

/**
 * Reads the file in a thread, before the transaction of the request begins. Errors of the file are reported after
 * errors of the request.
 */
export function readOwnList(
  { principal: { tenantId }, files: { file } }: PreparationInput<'replaceOwnList'>,
  fairQueue: FairQueue,
): Promise<ReadFile> {
  return readings.run(tenantId, async () => {
    const entities: ReadEntity[] = [];
    try {
      for await (const part of readList({ format: 'own', files: { main: file.bytes }, bounds: OWN_BOUNDS }, {})) {
        entities.push(...part);
        await fairQueue.gap(tenantId);
      }
    } catch (error) {
      return { refusal: error };
    }
    return entities;
  });
}

/** Replaces the list of the tenant in one transaction. If the new file has an error, the previous list stays. */
export async function replaceOwnList(
  ctx: Replacing,
  read: ReadFile,
  fairQueue: FairQueue,
): Promise<{ readonly outcome: 'replaced' | 'unchanged'; readonly version: OwnListVersion }> {
  const {
    tx,
    principal,
    environment,
    body,
    files: {
      file: { sha256 },
    },
    now,
    signal,
  } = ctx;
  await lockOwnList(ctx);
  const before = await ownList(tx, environment);
  try {
    if (body.sha256 !== undefined && body.sha256.toLowerCase() !== sha256)
      throw new ListRefused(
        'checksum_mismatch',
        `the checksum of the file is ${sha256}, and not the one that was given`,
      );
    if (before?.sha256 === sha256 && (body.version === undefined || body.version === before.version)) {
      confirmOwnList(tx, before.id, now);
      return { outcome: 'unchanged', version: { ...before, checkedAt: now.toISOString() } };
    }
    if ('refusal' in read) throw read.refusal;
    const change = await changeSince(tx, before, read, fairQueue);
    const usual = `${now.toISOString().slice(0, 10)}.${sha256.slice(0, 8)}`;
    const { last, isTaken } = await historyOf(tx, environment, body.version ?? usual);
    if (isTaken && body.version !== undefined)
      throw new ListRefused('version_exists', `there is a version ${body.version} of ${OWN_LIST} already`);
    if (before !== null) endOwnList(tx, before.id, now);
    signal.throwIfAborted();
    const id = uuidv7();
    const version = {
      id,
      environment,
      sequence: last + 1,
      // A file may be withdrawn on the day of its import, and the previous one sent again, so the usual name may be
      // taken.
      version: body.version ?? (isTaken ? `${usual}.${last + 1}` : usual),
      sha256,
      ...change,
      ingestedAt: now,
      checkedAt: now,
      ingestedBy: actorOf(principal),
    };
    await addOwnList(tx, version, partsOf(read), fairQueue);
    enqueueTask(tx, COMPARISON_CHANGED, id, now);
    return { outcome: 'replaced', version: (await ownList(tx, environment))! };
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Removes the list with all its entries, and returns its version. */
export async function removeOwnList(
  ctx: Pick<Context<'removeOwnList'>, 'tx' | 'environment' | 'now'>,
): Promise<OwnListVersion> {
  const { tx, environment, now } = ctx;
  await lockOwnList(ctx);
  const before = await ownList(tx, environment);
  if (before === null) throw new Problem('not_found');
  endOwnList(tx, before.id, now);
  enqueueTask(tx, COMPARISON_CHANGED, before.id, now);
  return before;
}

async function lockOwnList({ tx, environment }: Pick<Replacing, 'tx' | 'environment'>): Promise<void> {
  if (!(await tryLockUntilCommit(tx, 'own list', `${environment} ${tx.tenantId!}`)))
    throw new Problem('import_running');
}

/**
 * Yields the entities in their stored form, with their hashes, in parts that are small enough to open without delaying
 * other requests.
 */
function* partsOf(entities: readonly ReadEntity[]): Generator<string> {
  let [part, characters]: [string[], number] = [[], 0];
  for (const { content, match, document } of entities) {
    part.push(`{"content":"${content}","match":"${match}","entity":${document}}`);
    characters += document.length;
    if (part.length < PART_ENTITIES && characters < PART_CHARACTERS) continue;
    yield `[${part.join()}]`;
    [part, characters] = [[], 0];
  }
  if (part.length > 0) yield `[${part.join()}]`;
}

type Change = Pick<OwnListVersion, 'entryCount' | 'added' | 'changed' | 'matchChanged' | 'removed'>;

/** Content of a part. Older parts contain entities without hashes. */
type StoredEntity = (Pick<ReadEntity, 'content' | 'match'> & { readonly entity: ListedEntity }) | ListedEntity;

/** Counts the differences from the previous list, which is read one part at a time. */
async function changeSince(
  tx: Transaction,
  before: OwnListVersion | null,
  entities: readonly ReadEntity[],
  fairQueue: FairQueue,
): Promise<Change> {
  const known = new Map(entities.map((entity) => [entity.key, entity]));
  const count = {
    entryCount: entities.length,
    changed: 0,
    matchChanged: 0,
    removed: 0,
  };
  let same = 0;
  for (let part = 0; before !== null; part++) {
    await fairQueue.gap(tx.tenantId!);
    const json = await partOf(tx, before.id, part);
    if (json === null) break;
    for (const stored of JSON.parse(json) as readonly StoredEntity[]) {
      const earlier =
        'entity' in stored ? stored : { entity: stored, content: contentHash(stored), match: matchHash(stored) };
      const entity = known.get(earlier.entity.key);
      if (entity === undefined) count.removed++;
      else if (entity.content === earlier.content) same++;
      else {
        count.changed++;
        if (entity.match !== earlier.match) count.matchChanged++;
      }
    }
  }
  return { ...count, added: entities.length - same - count.changed };
}
