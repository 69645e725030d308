import { knex, sql, statement, UniqueViolation, type Transaction } from '../../../database/index.ts';
import { Problem } from '../../../http/problem.ts';
import { unavailable } from '../../../http/refusal.ts';
import type { ApplicationRecord } from '../application.ts';
import type { BlindIndex } from '../blind-index.ts';
import { applicationColumns, toRecord, type ApplicationRow } from './application-row.ts';
import { valuesOf, type ApplicationValues } from './application-values.ts';

type Key = { tenantId: string; id: string };

const find = statement<Key, ApplicationRow>('application.find', (p) =>
  knex('application').select(...applicationColumns).where({ tenant_id: p.tenantId, id: p.id }));

const lock = statement<Key, ApplicationRow>('application.lock', (p) =>
  knex('application').select(...applicationColumns).where({ tenant_id: p.tenantId, id: p.id }).forUpdate());

const findByExternalId = statement<{ tenantId: string; environment: string; externalId: string }, { id: string }>(
  'application.findByExternalId', (p) =>
    knex('application').select('id').where({ tenant_id: p.tenantId, environment: p.environment, external_id: p.externalId }));

const insert = statement<ApplicationValues>('application.insert', (p) =>
  knex('application').insert({
    tenant_id: p.tenantId, id: p.id, environment: p.environment, external_id: p.externalId, status: p.status, status_reason: p.statusReason,
    status_note: p.statusNote, level: p.level, purpose: p.purpose, channel: p.channel, full_name: p.fullName, tax_id_mac: p.taxIdMac, email_mac: p.emailMac,
    applicant: p.applicant, product_codes: p.productCodes, metadata: p.metadata, submitted_at: p.submittedAt, expires_at: p.expiresAt,
    version: p.version, created_at: p.createdAt, updated_at: p.updatedAt, created_by: p.createdBy,
  }).onConflict(['tenant_id', 'environment', 'external_id']).ignore());

const update = statement<ApplicationValues>('application.update', (p) =>
  knex('application').where({ tenant_id: p.tenantId, id: p.id }).update({
    external_id: p.externalId, status: p.status, status_reason: p.statusReason, status_note: p.statusNote, level: p.level, purpose: p.purpose,
    channel: p.channel, full_name: p.fullName, tax_id_mac: p.taxIdMac, email_mac: p.emailMac, applicant: p.applicant,
    product_codes: p.productCodes, metadata: p.metadata, submitted_at: p.submittedAt, expires_at: p.expiresAt, version: p.version, updated_at: p.updatedAt,
  }));

export async function findApplication(tx: Transaction, key: Key): Promise<ApplicationRecord | null> {
  const [row] = await tx.run(find, key);
  return row === undefined ? null : toRecord(row);
}

/** Nobody else changes the record, or adds evidence to it, until the transaction ends. */
export async function lockApplication(tx: Transaction, key: Key): Promise<ApplicationRecord | null> {
  const [row] = await tx.run(lock, key);
  return row === undefined ? null : toRecord(row);
}

/** Two that race for one externalId: the second waits for the first and is told of it. Without one, nothing to wait for. */
export async function insertApplication(tx: Transaction, tenantId: string, record: ApplicationRecord, index: BlindIndex): Promise<void> {
  const inserted = tx.count(insert, valuesOf(tenantId, record, index));
  if (record.externalId !== null && await inserted === 0) await refuseDuplicate(tx, tenantId, record.environment, record.externalId);
}

/** Writes a record whose lock is held. A conflict undoes only the update, so that the other record can be named. */
export async function updateApplication(
  tx: Transaction, tenantId: string, before: ApplicationRecord, after: ApplicationRecord, index: BlindIndex,
): Promise<void> {
  const written = (): Promise<unknown> => tx.run(update, valuesOf(tenantId, after, index));
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

async function refuseDuplicate(tx: Transaction, tenantId: string, environment: string, externalId: string): Promise<never> {
  const [existing] = await tx.run(findByExternalId, { tenantId, environment, externalId });
  // It was removed in this very moment, as a reset of the sandbox does.
  if (existing === undefined) throw unavailable('dependency_unavailable');
  throw new Problem('duplicate_external_id', { existingId: existing.id });
}
