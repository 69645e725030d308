import { sql, statement, UniqueViolation, type InsertOf, type RowOf, type Transaction, type UpdateOf } from '../../../database/index.ts';
import { Problem } from '../../../http/problem.ts';
import { unavailable } from '../../../http/refusal.ts';
import type { ApplicationRecord } from '../application.ts';
import type { BlindIndex } from '../blind-index.ts';
import { application, applicationRecord, rowOf } from './application-row.ts';

type Key = { tenantId: string; id: string };
type Row = RowOf<typeof applicationRecord>;

const find = statement<Key, Row>('application.find', (p) => sql`SELECT ${applicationRecord} FROM application WHERE ${application.equal({ tenantId: p.tenantId, id: p.id })}`);

const lock = statement<Key, Row>('application.lock', (p) => sql`
  SELECT ${applicationRecord} FROM application WHERE ${application.equal({ tenantId: p.tenantId, id: p.id })} FOR UPDATE`);

const findByExternalId = statement<{ tenantId: string; environment: ApplicationRecord['environment']; externalId: string }, { id: string }>(
  'application.findByExternalId', (p) => sql`
    SELECT id FROM application WHERE ${application.equal({ tenantId: p.tenantId, environment: p.environment, externalId: p.externalId })}`);

const insert = statement<InsertOf<typeof application>>('application.insert', (p) => sql`
  ${application.insert(p)} ON CONFLICT (tenant_id, environment, external_id) DO NOTHING`);

const update = statement<Key & UpdateOf<typeof application>>('application.update', (p) => sql`
  UPDATE application SET ${application.assignAll(p)} WHERE ${application.equal({ tenantId: p.tenantId, id: p.id })}`);

export async function findApplication(tx: Transaction, key: Key): Promise<ApplicationRecord | null> {
  const [row] = await tx.run(find, key);
  return row ?? null;
}

/** Nobody else changes the record, or adds evidence to it, until the transaction ends. */
export async function lockApplication(tx: Transaction, key: Key): Promise<ApplicationRecord | null> {
  const [row] = await tx.run(lock, key);
  return row ?? null;
}

/** Two that race for one externalId: the second waits for the first and is told of it. Without one, nothing to wait for. */
export async function insertApplication(tx: Transaction, tenantId: string, record: ApplicationRecord, index: BlindIndex): Promise<void> {
  const inserted = tx.count(insert, rowOf(tenantId, record, index));
  if (record.externalId !== null && await inserted === 0) await refuseDuplicate(tx, tenantId, record.environment, record.externalId);
}

/** Writes a record whose lock is held. A conflict undoes only the update, so that the other record can be named. */
export async function updateApplication(
  tx: Transaction, tenantId: string, before: ApplicationRecord, after: ApplicationRecord, index: BlindIndex,
): Promise<void> {
  const written = (): Promise<unknown> => tx.run(update, rowOf(tenantId, after, index));
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
