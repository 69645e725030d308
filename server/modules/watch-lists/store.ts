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
import type { ListedEntity } from '../../screening/listed-entity.ts';
import type { FormatName } from '../../screening/sources/index.ts';
import type { QuarantinedName } from '../../screening/sources/source-file.ts';
import type { ScreenedListId, WatchListId } from './catalogue.ts';

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
    checkedAt: timestamp().changes('its publisher still has this version'),
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

const listedEntity = table(
  'watch_list_entity',
  {
    environment: code<Environment>(),
    listId: code<WatchListId>(),
    key: text(),
    fromSequence: integer(),
    // First version in which the entity is changed or removed.
    toSequence: integer().nullable().defaulted().changes('a later version of the list has it otherwise, or no more'),
    contentHash: bytes(),
    matchHash: bytes(),
    document: json<ListedEntity>(),
  },
  {
    owner: 'platform',
    insertedBy: 'platform',
    example: { listId: 'un-csnu', key: 'k' },
  },
);

const whole = listVersion.select();
export type ListVersion = RowOf<typeof whole>;

type Key = { environment: Environment; listId: WatchListId };
type At = Key & { sequence: number };

const ofList = (p: { environment: unknown; listId: unknown }) =>
  listedEntity.equal({ environment: p.environment as Environment, listId: p.listId as WatchListId });

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

const check = statement<At & { now: Date }>(
  'watchList.check',
  (p) => sql`
  UPDATE watch_list_version SET ${listVersion.assign({ checkedAt: p.now })}
    WHERE ${listVersion.equal({ environment: p.environment, listId: p.listId, sequence: p.sequence })}`,
  { expectRows: 1 },
);

const insertFile = statement<InsertOf<typeof listFile>>('watchList.insertFile', (p) => listFile.insert(p));

type Hashes = { key: string; contentHash: string; matchHash: string };

const findHashes = statement<Key & { after: string; limit: number }, Hashes>(
  'watchList.hashes',
  (p) => sql`
  SELECT key, encode(content_hash, 'hex') AS "contentHash", encode(match_hash, 'hex') AS "matchHash"
    FROM watch_list_entity
  WHERE ${ofList(p)} AND to_sequence IS NULL AND key > ${p.after} ORDER BY key LIMIT ${p.limit}::integer`,
);

/** Inserts many entities in one statement. */
const insertEntities = statement<At & { entities: string }>(
  'watchList.insertEntities',
  (p) => sql`
  INSERT INTO watch_list_entity (environment, list_id, key, from_sequence, content_hash, match_hash, document)
  SELECT ${p.environment}::text, ${p.listId}::text, e.key, ${p.sequence}::integer, decode(e.content, 'hex'),
    decode(e.match, 'hex'), e.document
  FROM jsonb_to_recordset(${p.entities}::jsonb) AS e (key text, content text, match text, document jsonb)`,
);

const endEntities = statement<At & { keys: readonly string[] }>(
  'watchList.endEntities',
  (p) => sql`
  UPDATE watch_list_entity SET ${listedEntity.assign({ toSequence: p.sequence })}
    WHERE ${ofList(p)} AND to_sequence IS NULL AND key = ANY (${p.keys}::text[])`,
);

/** Change of an entity between two versions, with its document before and after. */
export interface Delta {
  readonly key: string;
  readonly before: ListedEntity | null;
  readonly after: ListedEntity | null;
  /** Whether the change affects matching. */
  readonly isMatchRelevant: boolean;
}

/**
 * Finds entities of the earlier version that have ended since, joined with entities of the later version that began
 * since.
 */
const findDelta = statement<At & { since: number; after: string; limit: number }, Delta>(
  'watchList.delta',
  (p) => sql`
  SELECT coalesce(b.key, a.key) AS key, b.document AS before, a.document AS after, a.match_hash
    IS DISTINCT FROM b.match_hash AS "isMatchRelevant"
  FROM (SELECT * FROM watch_list_entity WHERE ${ofList(p)} AND from_sequence <= ${p.since}::integer
    AND to_sequence > ${p.since}::integer AND to_sequence <= ${p.sequence}::integer) b
  FULL JOIN (SELECT * FROM watch_list_entity WHERE ${ofList(p)} AND from_sequence > ${p.since}::integer
    AND from_sequence <= ${p.sequence}::integer
    AND (to_sequence IS NULL OR to_sequence > ${p.sequence}::integer)) a ON a.key = b.key
  WHERE coalesce(b.key, a.key) > ${p.after} AND a.content_hash IS DISTINCT FROM b.content_hash ORDER BY 1
    LIMIT ${p.limit}::integer`,
);

/** Returns documents as text, because readers of a whole list pass them on unchanged. */
const findDocuments = statement<At & { after: string; limit: number }, { key: string; document: string }>(
  'watchList.documents',
  (p) => sql`
  SELECT key, document::text AS document FROM watch_list_entity WHERE ${ofList(p)}
    AND from_sequence <= ${p.sequence}::integer AND (to_sequence IS NULL OR to_sequence > ${p.sequence}::integer)
    AND key > ${p.after}
  ORDER BY key LIMIT ${p.limit}::integer`,
);

/** Reference to an entity in a version of its list. */
export interface EntityRef {
  readonly listId: ScreenedListId;
  readonly key: string;
  readonly sequence: number;
}

export interface ReferredEntity extends EntityRef {
  readonly fingerprint: string;
  readonly document: ListedEntity;
}

const findReferred = statement<
  {
    environment: Environment;
    lists: readonly string[];
    keys: readonly string[];
    sequences: readonly number[];
  },
  ReferredEntity
>(
  'watchList.referred',
  (p) => sql`
  SELECT e.list_id AS "listId", e.key, r.sequence, encode(e.match_hash, 'hex') AS fingerprint, e.document
  FROM unnest(${p.lists}::text[], ${p.keys}::text[], ${p.sequences}::integer[]) AS r (list_id, key, sequence)
  JOIN watch_list_entity e ON ${listedEntity.as('e').equal({ environment: p.environment })} AND e.list_id = r.list_id
    AND e.key = r.key
    AND e.from_sequence <= r.sequence AND (e.to_sequence IS NULL OR e.to_sequence > r.sequence)`,
);

/** Batch size of reads, because a list may have millions of rows. */
const PAGE = 250;

async function* pagesOf<Row extends { readonly key: string }>(
  read: (after: string) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let after = ''; ; ) {
    const rows = await read(after);
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.key;
  }
}

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

export async function confirmVersion(tx: Transaction, list: ListKey, sequence: number, now: Date): Promise<void> {
  await tx.run(check, { ...list, sequence, now });
}

export async function addFilePart(tx: Transaction, part: InsertOf<typeof listFile>): Promise<void> {
  await tx.run(insertFile, part);
}

/** Returns the hashes of all current entities. */
export async function currentHashes(tx: Transaction, list: ListKey): Promise<Map<string, Omit<Hashes, 'key'>>> {
  const found = new Map<string, Omit<Hashes, 'key'>>();
  for await (const { key, ...hashes } of pagesOf((after) => tx.run(findHashes, { ...list, after, limit: PAGE })))
    found.set(key, hashes);
  return found;
}

export interface NewEntity {
  readonly key: string;
  readonly content: string;
  readonly match: string;
  /** JSON of the entity. */
  readonly document: string;
}

/** Batch size of writes. */
const BATCH = 500;

/** Writes the differences between a version and the one before. */
export class VersionWriter {
  readonly #tx: Transaction;
  readonly #at: At;
  #ended: string[] = [];
  #started: NewEntity[] = [];

  constructor(tx: Transaction, { environment, listId }: ListKey, sequence: number) {
    this.#tx = tx;
    this.#at = { environment, listId, sequence };
  }

  /** Ends the current state of an entity, which is removed or changed. */
  async end(key: string): Promise<void> {
    if (this.#ended.push(key) === BATCH) await this.flush();
  }

  /** Starts a new state of an entity. Its previous state must have been ended. */
  async begin(entity: NewEntity): Promise<void> {
    if (this.#started.push(entity) === BATCH) await this.flush();
  }

  async flush(): Promise<void> {
    const [keys, entities] = [this.#ended, this.#started];
    [this.#ended, this.#started] = [[], []];
    if (keys.length > 0) await this.#tx.run(endEntities, { ...this.#at, keys });
    if (entities.length > 0)
      await this.#tx.run(insertEntities, {
        ...this.#at,
        entities: `[${entities.map(({ document, ...hashes }) => `${JSON.stringify(hashes).slice(0, -1)},"document":${document}}`).join()}]`,
      });
  }
}

/** Yields the changes of a version, compared with the one before or with an earlier one. */
export function deltaOf(
  tx: Transaction,
  list: ListKey,
  sequence: number,
  since: number = sequence - 1,
): AsyncGenerator<Delta> {
  return pagesOf((after) =>
    tx.run(findDelta, {
      ...list,
      sequence,
      since,
      after,
      limit: PAGE,
    }),
  );
}

/** Yields all entities of a version as JSON, one page after the other. */
export async function* documentsOf(
  tx: Transaction,
  list: ListKey,
  sequence: number,
): AsyncGenerator<readonly string[]> {
  let page: string[] = [];
  for await (const { document } of pagesOf((after) =>
    tx.run(findDocuments, {
      ...list,
      sequence,
      after,
      limit: PAGE,
    }),
  )) {
    if (page.push(document) < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}

/** Returns entities in the versions of their references. */
export function referredEntities(
  tx: Transaction,
  environment: Environment,
  refs: readonly EntityRef[],
): Promise<ReferredEntity[]> {
  return tx.run(findReferred, {
    environment,
    lists: refs.map(({ listId }) => listId),
    keys: refs.map(({ key }) => key),
    sequences: refs.map(({ sequence }) => sequence),
  });
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
