/**
 * Table `allowlist_entry` and its statements. Used by allowlist.ts, the decisions about hits and the lists of this
 * module. Entries are locked before subjects, everywhere in this order, because another order would deadlock. An entry
 * whose application is erased cannot be read.
 */
import type { BusinessTime } from '../../base/time.ts';
import type { KeyObject } from 'node:crypto';
import { type Uuid, uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  code,
  digest,
  every,
  type InsertOf,
  json,
  keyset,
  type RowOf,
  sql,
  statement,
  table,
  businessTimestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { openValue, type Sealed, sealValue, unwrapped, wrappedKey } from '../subject-keys/index.ts';
import type { ScreenedListId } from '../watch-lists/index.ts';
import { type HitDecision, hitDecision } from './decision-store.ts';
import type { PageOfScreenings } from './list-store.ts';
import { macOf, type ScreenedSubject, screeningHit, type ScreeningRecord } from './store.ts';

type Schemas = components['schemas'];
type Status = Schemas['AllowlistStatusFilter'];

/** Allow-list: subjects who are known not to be a certain entity of a list. */
const entry = table(
  'allowlist_entry',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    // MAC of the tax number, or else of the subject of the screening.
    subjectMac: digest(),
    listId: code<ScreenedListId>(),
    entityMac: digest(),
    entityHash: digest(),
    applicationId: uuid().nullable(),
    subjectId: uuid(),
    screeningId: uuid(),
    hitId: uuid(),
    entityKey: json<Sealed>().sealed(),
    reasonCode: code(),
    status: code<Status>().defaulted().changes('the entry is revoked or expires, or its entity changes'),
    revokeReason: code<RevokeReason>()
      .nullable()
      .defaulted()
      .changes('the entry is revoked or expires, or its entity changes'),
    expiresAt: businessTimestamp(),
    createdAt: businessTimestamp(),
    createdBy: actor(),
    // Dismissal that the entry extends to other applications. Null for entries that ended before this column existed.
    decisionId: uuid().nullable(),
    // Hash of the members of the subject that were compared. Null for older entries, which apply to an equal subject.
    comparedHash: digest().nullable(),
  },
  {
    owner: 'screening',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { decisionId: '00000000-0000-4000-8000-00000000000c', listId: 'un-csnu', reasonCode: 'other' },
  },
);

export type RevokeReason = 'made_in_error' | 'new_information' | 'no_longer_needed' | 'other';

const own = entry.except('tenantId', 'entityMac', 'decisionId', 'comparedHash');
const WRAPPED = sql`CASE WHEN allowlist_entry.application_id IS NULL
  THEN ${wrappedKey('screening', sql`allowlist_entry.tenant_id`, sql`allowlist_entry.subject_id`)}
  ELSE ${wrappedKey('application', sql`allowlist_entry.tenant_id`, sql`allowlist_entry.application_id`)} END`;
const columns = sql`${own}, ${WRAPPED} AS wrapped`;
type Row = RowOf<typeof own> & { readonly wrapped: Buffer | null };
export type AllowlistEntry = Omit<RowOf<typeof own>, 'entityKey'> & { readonly entityKey: string };

type Key = { tenantId: string; id: string };

const insert = statement<InsertOf<typeof entry>>('allowlist.insert', (p) => entry.insert(p));

/** An active entry with the content and the bounds of its decision. */
export type ActiveEntry = Pick<AllowlistEntry, 'id'> &
  Pick<HitDecision, 'listId' | 'entityMac' | 'entityHash' | 'subjectHash' | 'status' | 'holdsBelow' | 'reviewedBy'> & {
    readonly comparedHash: Buffer | null;
  };

const ofDecision = hitDecision
  .as('d')
  .select('listId', 'entityMac', 'entityHash', 'subjectHash', 'status', 'holdsBelow', 'reviewedBy');

/**
 * Finds the active entries of a subject whose application is not erased, because others cannot be read. Locks the rows,
 * so that a transaction that ends an entry waits for the screenings in which it dismisses hits, and reopens those too.
 */
const findActive = statement<
  {
    tenantId: string;
    environment: Environment;
    subjectMac: Buffer;
    at: BusinessTime;
  },
  ActiveEntry
>(
  'allowlist.standing',
  (p) => sql`
  SELECT allowlist_entry.id, allowlist_entry.compared_hash AS "comparedHash",
    ${ofDecision}
  FROM allowlist_entry JOIN hit_decision d ON d.tenant_id = allowlist_entry.tenant_id
    AND d.id = allowlist_entry.decision_id
  WHERE ${entry.as('allowlist_entry').equal({
    tenantId: p.tenantId,
    environment: p.environment,
    subjectMac: p.subjectMac,
    status: 'active',
  })} AND allowlist_entry.expires_at > ${p.at} AND ${WRAPPED} IS NOT NULL
  ORDER BY allowlist_entry.id FOR NO KEY UPDATE OF allowlist_entry`,
);

export const endActive = statement<
  {
    tenantId: string;
    ids: readonly string[];
    status: Exclude<Status, 'active'>;
    reason: RevokeReason | null;
  },
  { id: Uuid }
>(
  'allowlist.end',
  (p) => sql`
  UPDATE allowlist_entry SET ${entry.assign({ status: p.status, revokeReason: p.reason })}
    WHERE ${entry.equal({ tenantId: p.tenantId, status: 'active' })} AND id = ANY (${p.ids}::uuid[]) RETURNING id`,
);

/** Subjects with hits that the entries have dismissed, in the order in which all transactions lock them. */
export const findDismissed = statement<{ tenantId: string; ids: readonly string[] }, { subjectId: string }>(
  'allowlist.dismissedSubjects',
  (p) => sql`
  SELECT DISTINCT subject_id AS "subjectId" FROM screening_hit
    WHERE ${screeningHit.equal({ tenantId: p.tenantId })} AND allowlist_entry_id = ANY (${p.ids}::uuid[]) ORDER BY 1`,
);

/** Hit that is open again. A screening on its own has no application. */
type ReopenedHit = Pick<ScreeningRecord, 'subjectId' | 'applicationId' | 'environment'>;

export const reopen = statement<{ tenantId: string; ids: readonly string[] }, ReopenedHit>(
  'allowlist.reopen',
  (p) => sql`
  UPDATE screening_hit SET ${screeningHit.assign({ status: 'open', allowlistEntryId: null })}
  WHERE ${screeningHit.equal({ tenantId: p.tenantId, status: 'auto_dismissed' })}
    AND allowlist_entry_id = ANY (${p.ids}::uuid[])
  RETURNING ${screeningHit.select('subjectId', 'environment')}, (SELECT s.application_id FROM screening s
    WHERE s.tenant_id = screening_hit.tenant_id AND s.id = screening_hit.screening_id) AS "applicationId"`,
);

const find = statement<Key, Row>(
  'allowlist.find',
  (p) =>
    sql`SELECT ${columns} FROM allowlist_entry WHERE ${entry.equal({ tenantId: p.tenantId, id: p.id })} FOR UPDATE`,
);

/** Batch size of expiries. */
export const EXPIRED_AT_ONCE = 100;

/** Entries whose expiry is due, and those whose application is erased. */
const findExpired = statement<{ tenantId: string; environment: Environment; at: BusinessTime }, { id: Uuid }>(
  'allowlist.expired',
  (p) => sql`
  SELECT id FROM allowlist_entry
    WHERE ${entry.equal({ tenantId: p.tenantId, environment: p.environment, status: 'active' })}
    AND (expires_at <= ${p.at} OR ${WRAPPED} IS NULL) ORDER BY expires_at LIMIT ${EXPIRED_AT_ONCE}
    FOR UPDATE SKIP LOCKED`,
);

/**
 * Returns the MAC that identifies a subject, which is equal for every application with the same tax number and does not
 * reveal the number.
 */
export function subjectKeyOf(tx: Transaction, { taxId }: Pick<ScreenedSubject, 'taxId'>, subjectId: string): Buffer {
  return macOf(tx, 'subject', taxId === null ? `record ${subjectId}` : `tax number ${taxId}`);
}

const sealContextOf = (id: string): string => `allowlist_entry entity_key ${id}`;

export function addEntry(
  tx: Transaction,
  {
    entityKey,
    ...given
  }: Omit<InsertOf<typeof entry>, 'tenantId' | 'id' | 'entityKey'> & { readonly entityKey: string },
  key: KeyObject,
): string {
  const id = uuidv7();
  void tx.run(insert, {
    ...given,
    tenantId: tx.tenantId!,
    id,
    entityKey: sealValue(key, sealContextOf(id), { entityKey }),
  });
  return id;
}

/** Returns the entries that apply to a subject now, locked. Entries are always locked before subjects. */
export function entriesFor(
  tx: Transaction,
  environment: Environment,
  subjectMac: Buffer,
  at: BusinessTime,
): Promise<ActiveEntry[]> {
  return tx.run(findActive, {
    tenantId: tx.tenantId!,
    environment,
    subjectMac,
    at,
  });
}

function opened(tx: Transaction, { wrapped, entityKey, ...row }: Row): AllowlistEntry | null {
  if (wrapped === null) return null;
  const key = unwrapped(
    tx,
    { type: row.applicationId === null ? 'screening' : 'application', id: row.applicationId ?? row.subjectId },
    wrapped,
  );
  return { ...row, ...(openValue(key, sealContextOf(row.id), entityKey) as Pick<AllowlistEntry, 'entityKey'>) };
}

/** Locks an entry until the transaction ends. Returns null if it does not exist or its application is erased. */
export async function lockEntry(tx: Transaction, id: string): Promise<AllowlistEntry | null> {
  const [row] = await tx.run(find, { tenantId: tx.tenantId!, id });
  return row === undefined ? null : opened(tx, row);
}

export async function expiredEntries(tx: Transaction, environment: Environment, at: BusinessTime): Promise<Uuid[]> {
  return (await tx.run(findExpired, { tenantId: tx.tenantId!, environment, at })).map(({ id }) => id);
}

interface Filter {
  readonly environment: Environment;
  readonly statuses: readonly Status[];
  readonly subjectMac?: Buffer | undefined;
  readonly expiresBefore?: Date | undefined;
}

/** Returns at most `count` entries after the position, without those whose application is erased. */
export async function listEntries(
  tx: Transaction,
  { environment, statuses, subjectMac, expiresBefore }: Filter,
  { direction, after, count }: PageOfScreenings,
): Promise<AllowlistEntry[]> {
  const page = keyset(
    {
      key: entry.column('createdAt'),
      type: sql`timestamptz`,
      id: sql`id`,
      direction,
    },
    after,
  );
  const rows = await tx.query<Row>(sql`
    SELECT * FROM (SELECT ${columns} FROM allowlist_entry WHERE ${every([
      entry.equal({ tenantId: tx.tenantId!, environment }),
      statuses.length > 0 && sql`status = ANY (${statuses})`,
      subjectMac !== undefined && entry.equal({ subjectMac }),
      expiresBefore !== undefined && sql`expires_at < ${expiresBefore}`,
      page.after,
    ])} ORDER BY ${page.order}) AS listed WHERE wrapped IS NOT NULL LIMIT ${count}`);
  return rows.flatMap((row) => opened(tx, row) ?? []);
}
