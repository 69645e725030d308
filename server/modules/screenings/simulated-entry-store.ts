/**
 * Table `simulated_entry`: entries that a tenant has put on lists of its sandbox, for one application each. Used by
 * screenings of the sandbox and, through the index, by simulations. Live screenings must never find them. Sealed and
 * erased with the application.
 */
import type { BusinessTime } from '../../base/time.ts';
import { randomBytes } from 'node:crypto';
import { uuidv7 } from '../../base/uuid.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  code,
  type InsertOf,
  json,
  type RowOf,
  sql,
  statement,
  table,
  businessTimestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { matchHash } from '../../screening/hashes.ts';
import type { ListedEntity } from '../../screening/listed-entity.ts';
import { openValue, type Sealed, sealingKey, sealValue, unwrapped, wrappedKey } from '../subject-keys/index.ts';
import { type EntityRef, type ReferredEntity, referredEntities, type WatchListId } from '../watch-lists/index.ts';
import type { ScreenedSubject } from './store.ts';

/**
 * Entries that a tenant has simulated on lists of its sandbox. The lists are shared by all tenants, so such an entry is
 * stored separately. It represents the applicant of one application, is found only by the screenings of that
 * application, and is erased with it.
 */
const entry = table(
  'simulated_entry',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<'sandbox'>(),
    applicationId: uuid(),
    listId: code<WatchListId>(),
    content: json<Sealed>().sealed(),
    createdAt: businessTimestamp(),
  },
  {
    owner: 'application',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { environment: 'sandbox', listId: 'un-csnu' },
  },
);

const shown = entry.select('id', 'listId', 'content');

const insert = statement<InsertOf<typeof entry>>('simulatedEntry.insert', (p) => entry.insert(p));

const list = statement<{ tenantId: string; applicationId: string }, RowOf<typeof shown> & { wrapped: Buffer | null }>(
  'simulatedEntry.list',
  (p) => sql`
  SELECT ${shown}, ${wrappedKey('application', sql`simulated_entry.tenant_id`, sql`simulated_entry.application_id`)}
    AS wrapped
  FROM simulated_entry WHERE ${entry.equal({ tenantId: p.tenantId, applicationId: p.applicationId })} ORDER BY id`,
);

const sealContextOf = (id: string): string => `simulated_entry content ${id}`;

export interface SimulatedEntry {
  readonly listId: WatchListId;
  readonly entity: ListedEntity;
}

/** The screened application, which determines the simulated entries. */
export interface OfApplication {
  readonly environment: Environment;
  readonly applicationId: string | null;
}

/**
 * Returns the entries that the screenings of an application find. Live screenings, and those without an application,
 * have none.
 */
export async function simulatedEntries(
  tx: Transaction,
  { environment, applicationId }: OfApplication,
): Promise<SimulatedEntry[]> {
  if (environment === 'live' || applicationId === null) return [];
  const rows = await tx.run(list, { tenantId: tx.tenantId!, applicationId });
  return rows.flatMap(({ id, listId, content, wrapped }) =>
    wrapped === null
      ? []
      : [
          {
            listId,
            entity: openValue(
              unwrapped(tx, { type: 'application', id: applicationId }, wrapped),
              sealContextOf(id),
              content,
            ) as ListedEntity,
          },
        ],
  );
}

/** Puts the applicant on a list. Returns the key of the entry on the list. */
export async function simulateEntry(
  tx: Transaction,
  {
    applicationId,
    listId,
    subject,
  }: { readonly applicationId: string; readonly listId: WatchListId; readonly subject: ScreenedSubject },
  at: BusinessTime,
): Promise<string> {
  const id = uuidv7();
  const environment = 'sandbox';
  const key = await sealingKey(tx, { type: 'application', id: applicationId }, { environment, now: at });
  const entity = entryOf(`simulated-${id}`, subject);
  void tx.run(insert, {
    tenantId: tx.tenantId!,
    id,
    environment,
    applicationId,
    listId,
    content: sealValue(key, sealContextOf(id), entity),
    createdAt: at,
  });
  return entity.key;
}

function entryOf(key: string, { names, dateOfBirth, countries }: ScreenedSubject): ListedEntity {
  // Hits store a hash of the data by which names are judged. The random number prevents finding a name by hashing
  // guesses.
  const number = randomBytes(16).toString('hex').toUpperCase();
  return {
    key,
    type: 'person',
    category: null,
    names: names.map((name, index) => ({ name, kind: index === 0 ? 'primary' : 'alias', quality: 'strong' })),
    birthDates: dateOfBirth === null ? [] : [dateOfBirth],
    gender: null,
    countries,
    identifiers: [{ kind: 'other', country: null, value: number }],
    programmes: [],
    position: null,
    references: [],
    sourceUrl: null,
    remarks: 'Simulated in the sandbox. No publisher has this entry.',
  };
}

/**
 * What a list says about an entity. An entry without a publisher, of an own list or simulated, is about a private
 * person.
 */
export interface FoundEntity extends ReferredEntity {
  readonly isPublished: boolean;
}

/** Returns what lists say about entities, including simulated ones. */
export async function entitiesOf(
  tx: Transaction,
  of: OfApplication,
  refs: readonly EntityRef[],
): Promise<FoundEntity[]> {
  const [listed, simulated] = await Promise.all([referredEntities(tx, of.environment, refs), simulatedEntries(tx, of)]);
  const beside = refs.flatMap((ref) =>
    simulated
      .filter(({ listId, entity }) => listId === ref.listId && entity.key === ref.key)
      .map(({ entity }) => ({
        ...ref,
        fingerprint: matchHash(entity),
        document: entity,
        isPublished: false,
      })),
  );
  return [...listed.map((entity) => ({ ...entity, isPublished: true })), ...beside];
}
