/**
 * Table `application` with its duties, and the statements that find, lock, insert and update a row. Used by all stores
 * and rules of the module. The applicant is sealed in the row; the search columns beside it are MACs. An unreadable row
 * throws, except in `findReadable` for periodic work.
 */
import { readBusinessTime } from '../../../base/time.ts';
import { isDeepStrictEqual } from 'node:util';
import { Problem, unavailable } from '../../../contract/problem.ts';
import {
  actor,
  code,
  codes,
  digest,
  type InsertOf,
  integer,
  json,
  type RowOf,
  sql,
  statement,
  table,
  text,
  businessTimestamp,
  type Transaction,
  UniqueViolation,
  type UpdateOf,
  uuid,
} from '../../../database/index.ts';
import type { BlindIndex } from '../../../rules/blind-index.ts';
import { makeKey, type Sealed, sealingKey } from '../../subject-keys/index.ts';
import type { ApplicationRecord } from './application.ts';
import { opened, sealedPerson, type StoredPerson, unlessUnreadable, WRAPPED } from './person-store.ts';

// Reasons for changes of several columns.
const EDITED = 'the integrator or a user edits the draft';
const MOVED = 'the application is submitted, is withdrawn or expires';
const DECIDED = 'the application is decided or reopened';
const REVISED = 'each change sets the time and the version';

/** Applications. Columns are unaudited if the event of a status change covers them, or if every change alters them. */
export const application = table(
  'application',
  {
    id: uuid(),
    externalId: text()
      .nullable()
      .unsealed('a reference of the integrator, by which applications are searched')
      .erasedTo(null)
      .changes(EDITED),
    environment: code<ApplicationRecord['environment']>(),
    status: code<ApplicationRecord['status']>().unaudited().changes(MOVED),
    statusReason: code().nullable().unaudited().changes(MOVED),
    statusNote: text()
      .nullable()
      .unsealed('lists show the note with the status, and unseal only the applicant')
      .erasedTo(null)
      .unaudited()
      .changes(MOVED),
    level: code<ApplicationRecord['level']>().changes(EDITED),
    purpose: code<ApplicationRecord['purpose']>().changes(EDITED),
    // The log names each changed member of the applicant instead (change-applications.ts, changedMembers).
    applicant: json<ApplicationRecord['applicant'] | Sealed>().sealed().erasedTo(sql`'{}'`).unaudited().changes(EDITED),
    productCodes: codes().changes(EDITED),
    channel: code<ApplicationRecord['channel']>().changes(EDITED),
    // A new application has no information request yet.
    resubmissionCount: integer().defaulted().unaudited().changes('the applicant answers an information request'),
    submittedAt: businessTimestamp().nullable().unaudited().changes(MOVED),
    // A new application is not decided yet.
    decidedAt: businessTimestamp().nullable().defaulted().unaudited().changes(DECIDED),
    validUntil: businessTimestamp().nullable().defaulted().unaudited().changes(DECIDED),
    reviewDueAt: businessTimestamp().nullable().defaulted().unaudited().changes(DECIDED),
    relationshipEndedAt: businessTimestamp()
      .nullable()
      .defaulted()
      .unaudited()
      .changes('an approved applicant ceases to be a customer'),
    renewsApplicationId: uuid().nullable(),
    expiresAt: businessTimestamp().nullable().erasedTo(null).unaudited().changes(MOVED),
    metadata: json<ApplicationRecord['metadata']>()
      .unsealed('references of the integrator')
      .erasedTo({})
      .changes(EDITED),
    version: integer().unaudited().changes(REVISED),
    createdAt: businessTimestamp(),
    updatedAt: businessTimestamp().unaudited().changes(REVISED),
    createdBy: actor(),
    tenantId: uuid(),
    // Search columns, computed from the applicant.
    fullName: text().unsealed('the search by name needs it plain').erasedTo('').unaudited().changes(EDITED),
    taxIdMac: digest().nullable().erasedTo(null).unaudited().changes(EDITED),
    emailMac: digest().nullable().erasedTo(null).unaudited().changes(EDITED),
    erasedAt: businessTimestamp().nullable().defaulted().unaudited().changes('the application is erased'),
    personUnseenAt: businessTimestamp()
      .nullable()
      .defaulted()
      .unaudited()
      .changes('a caller who sees the applicant masked overwrites personal data'),
  },
  {
    owner: 'application',
    timeline: {
      'application.created': null,
      'application.updated': null,
      'application.submitted': 'in_review',
      'application.withdrawn': 'withdrawn',
      'application.expired': 'expired',
      'application.reopened': 'in_review',
      'application.relationship_ended': null,
    },
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: {
      status: 'draft',
      level: 'basic',
      purpose: 'other',
      channel: 'api',
      fullName: 'Maria',
    },
  },
);

const recordColumns = application.except('tenantId', 'fullName', 'taxIdMac', 'emailMac', 'erasedAt', 'personUnseenAt');

/** Columns of a record, with the wrapped key that opens it, without the search columns. */
export const applicationRecord = sql`${recordColumns}, ${WRAPPED}`;
export type StoredApplication = RowOf<typeof recordColumns> & StoredPerson;

type Outcome = Pick<
  ApplicationRecord,
  'resubmissionCount' | 'decidedAt' | 'validUntil' | 'reviewDueAt' | 'relationshipEndedAt'
>;

/** Returns the row of a record with its search columns, and without the applicant, who is sealed separately. */
function rowOf(
  tenantId: string,
  record: ApplicationRecord,
  index: BlindIndex,
): Omit<InsertOf<typeof application>, 'applicant'> & Outcome {
  const { applicant, ...own } = record;
  return {
    ...own,
    tenantId,
    fullName: applicant.fullName,
    taxIdMac: applicant.taxId === null ? null : index.mac(tenantId, 'tax_id', applicant.taxId.value),
    emailMac: applicant.email === null ? null : index.mac(tenantId, 'email', applicant.email.toLowerCase()),
  };
}

type Key = { tenantId: string; id: string };
const columns = application.except('tenantId', 'fullName', 'taxIdMac', 'emailMac', 'personUnseenAt');
const found = sql`${columns}, ${WRAPPED}`;
type Found = RowOf<typeof columns> & StoredPerson;

const find = statement<Key, Found>(
  'application.find',
  (p) => sql`SELECT ${found} FROM application WHERE ${application.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const lock = statement<Key, Found>(
  'application.lock',
  (p) => sql`
  SELECT ${found} FROM application WHERE ${application.equal({ tenantId: p.tenantId, id: p.id })} FOR UPDATE`,
);

const findByExternalId = statement<
  { tenantId: string; environment: ApplicationRecord['environment']; externalId: string },
  { id: string }
>(
  'application.findByExternalId',
  (p) => sql`
    SELECT id FROM application
      WHERE ${application.equal({ tenantId: p.tenantId, environment: p.environment, externalId: p.externalId })}`,
);

const insert = statement<InsertOf<typeof application>>(
  'application.insert',
  (p) => sql`
  ${application.insert(p)} ON CONFLICT (tenant_id, environment, external_id) DO NOTHING`,
);

/** Keeps the stored applicant if `applicant` is null. */
const update = statement<
  Key & Omit<UpdateOf<typeof application>, 'applicant'> & { applicant: Sealed | null } & Outcome
>(
  'application.update',
  (p) => sql`
  UPDATE application SET ${application.assignAll(p, {
    applicant: sql`coalesce(${p.applicant}::jsonb,
    applicant)`,
  })}, ${application.assign({
    resubmissionCount: p.resubmissionCount,
    decidedAt: p.decidedAt,
    validUntil: p.validUntil,
    reviewDueAt: p.reviewDueAt,
    relationshipEndedAt: p.relationshipEndedAt,
  })}
  WHERE ${application.equal({ tenantId: p.tenantId, id: p.id })}`,
);

/** Stored application, or what remains of it after its erasure. */
export type FoundApplication = ApplicationRecord & { readonly erasedAt: string | null };

export async function findApplication(tx: Transaction, key: Key): Promise<FoundApplication | null> {
  const [row] = await tx.run(find, key);
  return row === undefined ? null : opened(tx, row);
}

/**
 * Finds an application, and returns `unreadable` if it does not open, so that the work for other applications
 * continues.
 */
export async function findReadable(tx: Transaction, key: Key): Promise<FoundApplication | 'unreadable' | null> {
  const [row] = await tx.run(find, key);
  return row === undefined ? null : (unlessUnreadable(() => opened(tx, row)) ?? 'unreadable');
}

/**
 * Finds and locks an application. Until the transaction ends, no other one changes the record or adds evidence to it.
 */
export async function lockApplication(tx: Transaction, key: Key): Promise<FoundApplication | null> {
  const [row] = await tx.run(lock, key);
  return row === undefined ? null : opened(tx, row);
}

/**
 * Inserts an application. Of two simultaneous inserts with one externalId the second waits for the first and is refused
 * with its id. Without an externalId the caller does not wait for the result.
 */
export async function insertApplication(
  tx: Transaction,
  tenantId: string,
  record: ApplicationRecord,
  index: BlindIndex,
): Promise<void> {
  const key = makeKey(
    tx,
    { type: 'application', id: record.id },
    { environment: record.environment, now: readBusinessTime(record.createdAt) },
  );
  const inserted = tx.count(insert, {
    ...rowOf(tenantId, record, index),
    applicant: sealedPerson(key, record.id, record.applicant),
  });
  if (record.externalId !== null && (await inserted) === 0)
    await refuseDuplicate(tx, tenantId, record.environment, record.externalId);
}

/**
 * Updates an application whose lock the caller holds. If its externalId is taken, only the update is rolled back, so
 * that the refusal can name the other application.
 */
export async function updateApplication(
  tx: Transaction,
  tenantId: string,
  { before, after }: { readonly before: ApplicationRecord; readonly after: ApplicationRecord },
  index: BlindIndex,
): Promise<void> {
  const isSame = isDeepStrictEqual(before.applicant, after.applicant);
  const key = isSame
    ? null
    : await sealingKey(
        tx,
        { type: 'application', id: after.id },
        { environment: after.environment, now: readBusinessTime(after.updatedAt) },
      );
  const applicant = key === null ? null : sealedPerson(key, after.id, after.applicant);
  const write = (): Promise<unknown> => tx.run(update, { ...rowOf(tenantId, after, index), applicant });
  if (after.externalId === null || after.externalId === before.externalId) return void write();
  void tx.query(sql`SAVEPOINT external_id`);
  try {
    await write();
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    void tx.query(sql`ROLLBACK TO SAVEPOINT external_id`);
    await refuseDuplicate(tx, tenantId, after.environment, after.externalId);
  }
}

async function refuseDuplicate(
  tx: Transaction,
  tenantId: string,
  environment: ApplicationRecord['environment'],
  externalId: string,
): Promise<never> {
  const [existing] = await tx.run(findByExternalId, { tenantId, environment, externalId });
  // The other application was removed in the meantime, for example by a reset of the sandbox.
  if (existing === undefined) throw unavailable('dependency_unavailable');
  throw new Problem('duplicate_external_id', { existingId: existing.id });
}
