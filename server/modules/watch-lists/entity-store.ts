/**
 * Table `watch_list_entity`: each entity with the range of versions in which it was the same. Used by imports and
 * rollbacks and, through the index, by screenings and monitoring. Reads are in batches, because a list may have
 * millions of rows.
 */
import type { Environment } from '../../contract/operation.ts';
import { bytes, code, integer, json, sql, statement, table, text, type Transaction } from '../../database/index.ts';
import type { ListedEntity } from '../../screening/listed-entity.ts';
import type { ScreenedListId, WatchListId } from './catalogue.ts';
import type { ListKey } from './store.ts';

type Key = { environment: Environment; listId: WatchListId };
type At = Key & { sequence: number };

const listedEntity = table(
  'watch_list_entity',
  {
    environment: code<Environment>(),
    listId: code<WatchListId>(),
    key: text(),
    fromSequence: integer(),
    // First version in which the entity is changed or removed.
    toSequence: integer().nullable().defaulted().changes('a later version of the list changes or removes the entity'),
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

const ofList = (p: { environment: unknown; listId: unknown }) =>
  listedEntity.equal({ environment: p.environment as Environment, listId: p.listId as WatchListId });

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
  SELECT coalesce(b.key, a.key) AS key, b.document AS before, a.document AS after, (a.match_hash
    IS DISTINCT FROM b.match_hash OR a.document->'furtherIdentifiers'
    IS DISTINCT FROM b.document->'furtherIdentifiers') AS "isMatchRelevant"
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

/** Returns the JSON of a new state. Its document is JSON already. */
const jsonOf = ({ document, ...hashes }: NewEntity): string =>
  `${JSON.stringify(hashes).slice(0, -1)},"document":${document}}`;

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
      await this.#tx.run(insertEntities, { ...this.#at, entities: `[${entities.map(jsonOf).join()}]` });
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
