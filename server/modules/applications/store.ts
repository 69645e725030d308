import { isDeepStrictEqual } from 'node:util';
import type { AnyPrincipal, Environment } from '../../contract/operation.ts';
import { Problem, unavailable } from '../../contract/problem.ts';
import { lockUntilCommit } from '../../database/advisory-lock.ts';
import {
  actor, code, codes, digest, type Fragment, type InsertOf, integer, json, type Parameter, type RowOf, sql,
  statement, table, text, timestamp, type Transaction, UniqueViolation, type UpdateOf, uuid,
} from '../../database/index.ts';
import { tenant } from '../../identity/tables.ts';
import type { Lookups } from '../../request/handler.ts';
import type { BlindIndex } from '../../rules/blind-index.ts';
import { makeKey, type Sealed, sealingKey } from '../subject-keys/index.ts';
import { ACTIVE, type Applicant, type ApplicationRecord } from './application.ts';
import { type Kept, opened, personOf, sealedPerson, unlessUnreadable, WRAPPED } from './person-store.ts';

/** Members are unaudited if the event of a status change tells of them, or if every change alters them (a version, a time). */
export const application = table('application', {
  id: uuid(),
  externalId: text().nullable().unsealed('the reference of the integrator, by which an application is found').erasedTo(null).changes('a draft is edited'),
  environment: code<ApplicationRecord['environment']>(),
  status: code<ApplicationRecord['status']>().unaudited().changes('it is submitted, withdrawn or expires'),
  statusReason: code().nullable().unaudited().changes('it is submitted, withdrawn or expires'),
  statusNote: text().nullable().unsealed('shown with the status in lists, which open no more than the applicant').erasedTo(null).unaudited().changes('it is submitted, withdrawn or expires'),
  level: code<ApplicationRecord['level']>().changes('a draft is edited'),
  purpose: code<ApplicationRecord['purpose']>().changes('a draft is edited'),
  // The log names each changed member of the applicant instead (change-applications.ts, changedMembers).
  applicant: json<ApplicationRecord['applicant'] | Sealed>().sealed().erasedTo(sql`'{}'`).unaudited().changes('a draft is edited'),
  productCodes: codes().changes('a draft is edited'),
  channel: code<ApplicationRecord['channel']>().changes('a draft is edited'),
  // Nobody was asked for anything when it is made.
  resubmissionCount: integer().defaulted().unaudited().changes('the applicant answers'),
  submittedAt: timestamp().nullable().unaudited().changes('it is submitted, withdrawn or expires'),
  // No application is decided when it is made.
  decidedAt: timestamp().nullable().defaulted().unaudited().changes('it is decided, and reopened'),
  validUntil: timestamp().nullable().defaulted().unaudited().changes('it is decided, and reopened'),
  reviewDueAt: timestamp().nullable().defaulted().unaudited().changes('it is decided, and reopened'),
  relationshipEndedAt: timestamp().nullable().defaulted().unaudited().changes('an approved person ceases to be a customer'),
  renewsApplicationId: uuid().nullable(),
  expiresAt: timestamp().nullable().erasedTo(null).unaudited().changes('it is submitted, withdrawn or expires'),
  metadata: json<ApplicationRecord['metadata']>().unsealed('the references of the integrator').erasedTo({}).changes('a draft is edited'),
  version: integer().unaudited().changes('each change has a number and a time'),
  createdAt: timestamp(),
  updatedAt: timestamp().unaudited().changes('each change has a number and a time'),
  createdBy: actor(),
  tenantId: uuid(),
  // What rows are found by, computed from the applicant.
  fullName: text().unsealed('an index by name needs it').erasedTo('').unaudited().changes('a draft is edited'),
  taxIdMac: digest().nullable().erasedTo(null).unaudited().changes('a draft is edited'),
  emailMac: digest().nullable().erasedTo(null).unaudited().changes('a draft is edited'),
  erasedAt: timestamp().nullable().defaulted().unaudited().changes('it is erased'),
  personUnseenAt: timestamp().nullable().defaulted().unaudited().changes('somebody overwrites a person whom they see masked'),
}, {
  owner: 'application',
  timeline: {
    'application.created': null, 'application.updated': null, 'application.submitted': 'in_review', 'application.withdrawn': 'withdrawn',
    'application.expired': 'expired', 'application.reopened': 'in_review', 'application.relationship_ended': null,
  },
  sandboxReset: 'emptied',
  insertedBy: 'app',
  example: { status: 'draft', level: 'basic', purpose: 'other', channel: 'api', fullName: 'Maria' },
});

const kept = application.except('tenantId', 'fullName', 'taxIdMac', 'emailMac', 'erasedAt', 'personUnseenAt');

/** Everything that a record is made of, with what opens it; columns that only repeat it for searching are not read. */
export const applicationRecord = sql`${kept}, ${WRAPPED}`;
export type KeptApplication = RowOf<typeof kept> & Kept;

type Outcome = Pick<ApplicationRecord, 'resubmissionCount' | 'decidedAt' | 'validUntil' | 'reviewDueAt' | 'relationshipEndedAt'>;

/** The row of a record but for the person, who is sealed, with what it is found by. */
function rowOf(tenantId: string, record: ApplicationRecord, index: BlindIndex): Omit<InsertOf<typeof application>, 'applicant'> & Outcome {
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
type Found = RowOf<typeof columns> & Kept;

const find = statement<Key, Found>('application.find', (p) => sql`SELECT ${found} FROM application WHERE ${application.equal({ tenantId: p.tenantId, id: p.id })}`);

const lock = statement<Key, Found>('application.lock', (p) => sql`
  SELECT ${found} FROM application WHERE ${application.equal({ tenantId: p.tenantId, id: p.id })} FOR UPDATE`);

const findByExternalId = statement<{ tenantId: string; environment: ApplicationRecord['environment']; externalId: string }, { id: string }>(
  'application.findByExternalId', (p) => sql`
    SELECT id FROM application WHERE ${application.equal({ tenantId: p.tenantId, environment: p.environment, externalId: p.externalId })}`);

const insert = statement<InsertOf<typeof application>>('application.insert', (p) => sql`
  ${application.insert(p)} ON CONFLICT (tenant_id, environment, external_id) DO NOTHING`);

/** Of a person who is still the same nothing is written. */
const update = statement<Key & Omit<UpdateOf<typeof application>, 'applicant'> & { applicant: Sealed | null } & Outcome>('application.update', (p) => sql`
  UPDATE application SET ${application.assignAll(p, { applicant: sql`coalesce(${p.applicant}::jsonb, applicant)` })}, ${application.assign({ resubmissionCount: p.resubmissionCount, decidedAt: p.decidedAt, validUntil: p.validUntil, reviewDueAt: p.reviewDueAt, relationshipEndedAt: p.relationshipEndedAt })}
  WHERE ${application.equal({ tenantId: p.tenantId, id: p.id })}`);

const noteUnseen = statement<Key & { now: Date }>('application.noteUnseen', (p) => sql`
  UPDATE application SET ${application.assign({ personUnseenAt: p.now })} WHERE ${application.equal({ tenantId: p.tenantId, id: p.id })}`);

const findUnseen = statement<Key, { personUnseenAt: string | null }>('application.findUnseen', (p) => sql`
  SELECT ${application.select('personUnseenAt')} FROM application WHERE ${application.equal({ tenantId: p.tenantId, id: p.id })}`);

/** Notes that the person of a record whose lock is held was overwritten by somebody who sees persons masked. */
export function noteUnseenChange(tx: Transaction, id: string, now: Date): void {
  void tx.run(noteUnseen, { tenantId: tx.tenantId!, id, now });
}

/** When that happened last; null if it never did. */
export async function lastUnseenChange(tx: Transaction, id: string): Promise<string | null> {
  return (await tx.run(findUnseen, { tenantId: tx.tenantId!, id }))[0]?.personUnseenAt ?? null;
}

/** A record, or what is left of one that was erased. */
export type FoundApplication = ApplicationRecord & { readonly erasedAt: string | null };

export async function findApplication(tx: Transaction, key: Key): Promise<FoundApplication | null> {
  const [row] = await tx.run(find, key);
  return row === undefined ? null : opened(tx, row);
}

/** The same where one record that does not open must not stop the work for others. */
export async function findReadable(tx: Transaction, key: Key): Promise<FoundApplication | 'unreadable' | null> {
  const [row] = await tx.run(find, key);
  return row === undefined ? null : unlessUnreadable(() => opened(tx, row)) ?? 'unreadable';
}

/** Nobody else changes the record, or adds evidence to it, until the transaction ends. */
export async function lockApplication(tx: Transaction, key: Key): Promise<FoundApplication | null> {
  const [row] = await tx.run(lock, key);
  return row === undefined ? null : opened(tx, row);
}

/** Two that race for one externalId: the second waits for the first and is told of it. Without one, nothing to wait for. */
export async function insertApplication(tx: Transaction, tenantId: string, record: ApplicationRecord, index: BlindIndex): Promise<void> {
  const key = makeKey(tx, { type: 'application', id: record.id }, { environment: record.environment, now: new Date(record.createdAt) });
  const inserted = tx.count(insert, { ...rowOf(tenantId, record, index), applicant: sealedPerson(key, record.id, record.applicant) });
  if (record.externalId !== null && await inserted === 0) await refuseDuplicate(tx, tenantId, record.environment, record.externalId);
}

/** Writes a record whose lock is held. A conflict undoes only the update, so that the other record can be named. */
export async function updateApplication(
  tx: Transaction, tenantId: string, before: ApplicationRecord, after: ApplicationRecord, index: BlindIndex,
): Promise<void> {
  const isSame = isDeepStrictEqual(before.applicant, after.applicant);
  const key = isSame ? null : await sealingKey(tx, { type: 'application', id: after.id }, { environment: after.environment, now: new Date(after.updatedAt) });
  const applicant = key === null ? null : sealedPerson(key, after.id, after.applicant);
  const written = (): Promise<unknown> => tx.run(update, { ...rowOf(tenantId, after, index), applicant });
  if (after.externalId === null || after.externalId === before.externalId) return void written();
  void tx.query(sql`SAVEPOINT external_id`);
  try {
    await written();
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    void tx.query(sql`ROLLBACK TO SAVEPOINT external_id`);
    await refuseDuplicate(tx, tenantId, after.environment, after.externalId);
  }
}

async function refuseDuplicate(tx: Transaction, tenantId: string, environment: ApplicationRecord['environment'], externalId: string): Promise<never> {
  const [existing] = await tx.run(findByExternalId, { tenantId, environment, externalId });
  // It was removed in this very moment, as a reset of the sandbox does.
  if (existing === undefined) throw unavailable('dependency_unavailable');
  throw new Problem('duplicate_external_id', { existingId: existing.id });
}

type TaxId = ApplicationRecord['applicant']['taxId'];

const findActive = statement<
  { tenantId: string; environment: ApplicationRecord['environment']; taxIdMac: Buffer; statuses: readonly string[] }, Kept
>('application.findActive', (p) => sql`
  SELECT id, applicant, ${WRAPPED} FROM application
  WHERE ${application.equal({ tenantId: p.tenantId, environment: p.environment, taxIdMac: p.taxIdMac })} AND status = ANY (${p.statuses})`);

/** The index knows numbers only: equal ones of two countries are two people. */
function isSameNumber(one: TaxId, other: TaxId): boolean {
  return one?.type === other?.type && one?.country === other?.country;
}

/** Whoever submits. A refusal tells them that somebody with the number is there, so it counts as a look-up. */
export interface Submitter {
  readonly principal: Pick<AnyPrincipal, 'tenantId' | 'personalData'>;
  readonly lookups: Lookups;
}

/**
 * A person has one active application at a time. The lock comes first, in a statement of its own, so that the look-up sees
 * what the submission before has committed. Which application it is would tell whose the number is.
 */
export async function assertOnlyActive(
  tx: Transaction, { principal: { tenantId, personalData }, lookups }: Submitter, record: ApplicationRecord, index: BlindIndex,
): Promise<void> {
  const { environment, applicant: { taxId } } = record;
  if (taxId === null) return;
  lookups.assertLeft();
  const taxIdMac = index.mac(tenantId, 'tax_id', taxId.value);
  // Submissions of one person happen one after another.
  void lockUntilCommit(tx, 'application of a person', `${tenantId}/${environment}/${taxIdMac.toString('hex')}`);
  const active = await tx.run(findActive, { tenantId, environment, taxIdMac, statuses: ACTIVE });
  const same = active.find((other) => other.id !== record.id && isSameNumber(personOf(tx, other).taxId, taxId));
  if (same === undefined) return;
  lookups.count();
  throw new Problem('duplicate_active_application', personalData === 'full' ? { existingId: same.id } : {});
}

/** So many are opened, the newest: whoever has more is somebody invented whom a sandbox is tried with. */
const MOST_OTHERS = 200;

const findOthers = statement<Key, Kept>('application.findUnderSameNumber', (p) => sql`
  SELECT application.id, application.applicant, ${WRAPPED} FROM application own
  JOIN application ON application.tenant_id = own.tenant_id AND application.environment = own.environment AND application.tax_id_mac = own.tax_id_mac AND application.id <> own.id
  WHERE ${application.as('own').equal({ tenantId: p.tenantId, id: p.id })} AND application.submitted_at IS NOT NULL
  ORDER BY application.created_at DESC LIMIT ${MOST_OTHERS}`);

/** The persons of other applications that were submitted under the same number. An erased one has no number any more. */
export async function submittedUnderSameNumber(tx: Transaction, id: string): Promise<Applicant[]> {
  return (await tx.run(findOthers, { tenantId: tx.tenantId!, id })).map((other) => personOf(tx, other));
}

const sandboxOffset = tenant.select('sandboxClockOffsetSeconds');

const sandboxClock = statement<{ tenantId: string }, RowOf<typeof sandboxOffset>>('application.sandboxClock', (p) => sql`
  SELECT ${sandboxOffset} FROM tenant WHERE ${tenant.equal({ id: p.tenantId })}`);

/** How far the clock of the sandbox is ahead, for work without a caller, whose credential tells it. */
export async function sandboxAheadMilliseconds(tx: Transaction): Promise<number> {
  const [row] = await tx.run(sandboxClock, { tenantId: tx.tenantId! });
  return (row?.sandboxClockOffsetSeconds ?? 0) * 1000;
}

/** Later than every change before, by whichever clock. */
export function timeOfChange(now: Parameter<Date>): Fragment {
  return sql`greatest(${now}::timestamptz, updated_at + interval '1 millisecond')`;
}

/** Takes an application back whose decision waits; its lock is held. */
export const returnToReview = statement<Key & { reason: string; now: Date }>('application.returnToReview', (p) => sql`
  UPDATE application SET ${application.revise(timeOfChange(p.now), { status: 'in_review', statusReason: p.reason, statusNote: null })}
  WHERE ${application.equal({ tenantId: p.tenantId, id: p.id, status: 'pending_approval' })}`, { expectRows: 1 });

export const EXPIRED_AT_ONCE = 100;

/**
 * Who holds an application at this very moment is changing it, so it is left for the next round. Materialised: a plan that ran the
 * query again for each row would find others every time, and the bound would be none.
 */
const expireBy = (name: string, due: 'expiresAt' | 'validUntil') => statement<{ tenantId: string; environment: Environment; from: 'draft' | 'needs_information' | 'approved'; now: Date; reason: string }, { id: string }>(name, (p) => sql`
  WITH due AS MATERIALIZED (
    SELECT id FROM application
    WHERE ${application.equal({ tenantId: p.tenantId, environment: p.environment, status: p.from, erasedAt: null })} AND ${application.column(due)} <= ${p.now}
    ORDER BY ${application.column(due)} LIMIT ${EXPIRED_AT_ONCE} FOR UPDATE SKIP LOCKED)
  UPDATE application SET ${application.revise(timeOfChange(p.now), { status: 'expired', statusReason: p.reason })}
  WHERE ${application.equal({ tenantId: p.tenantId })} AND id IN (SELECT id FROM due)
  RETURNING id`);

/** An approval that was renewed; nothing happens to one that is being decided anew. */
export const endRenewed = statement<Key & { reason: string; now: Date }, { id: string }>('application.endRenewed', (p) => sql`
  UPDATE application SET ${application.revise(timeOfChange(p.now), { status: 'expired', statusReason: p.reason })}
  WHERE ${application.equal({ tenantId: p.tenantId, id: p.id, status: 'approved', erasedAt: null })} RETURNING id`);

/** The approval that was renewed, the one that it had renewed itself, and so on. */
export const endRenewedRelationships = statement<Key & { relationshipEndedAt: string; now: Date }, { id: string }>('application.endRenewedRelationships', (p) => sql`
  WITH RECURSIVE renewed AS (
    SELECT id, renews_application_id FROM application WHERE ${application.equal({ tenantId: p.tenantId, id: p.id })}
    UNION SELECT a.id, a.renews_application_id FROM application a JOIN renewed r ON a.tenant_id = ${p.tenantId}::uuid AND a.id = r.renews_application_id)
  UPDATE application SET ${application.revise(timeOfChange(p.now), { relationshipEndedAt: p.relationshipEndedAt })}
  WHERE ${application.equal({ tenantId: p.tenantId, status: 'expired', relationshipEndedAt: null, erasedAt: null })} AND id IN (SELECT id FROM renewed) AND valid_until IS NOT NULL
  RETURNING id`);

/** What was begun and is not gone on with, and what was approved and holds no longer. */
export const expireDue = expireBy('application.expireApplications', 'expiresAt');
export const expireApproved = expireBy('application.expireApprovals', 'validUntil');
