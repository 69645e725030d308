/** Support of the tampering tests: what an attacker with full control of the database can change. */
import type pg from 'pg';
import { contentOf, eventHash } from '../../server/audit/chain.ts';
import { type AuditRow, wholeEvent } from '../../server/audit/store.ts';
import { canonicalJson, type Json } from '../../server/base/canonical-json.ts';
import { withClient } from '../../server/database/pool.ts';
import type { TestDatabase } from '../support/postgres.ts';

/** Runs `work` as an attacker who controls the database: a superuser for whom no trigger fires. */
export function asIntruder(database: TestDatabase, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  return withClient(database.superuser, async (client) => {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    await work(client);
    await client.query('COMMIT');
  });
}

/**
 * Changes one event and recomputes every later hash, including that of the head, so that the chain is consistent again.
 */
export async function editAndRehash(client: pg.Client, tenantId: string, sequence: number): Promise<void> {
  const { rows } = await client.query<AuditRow>(
    `SELECT ${wholeEvent.toQuery()} FROM audit_event WHERE tenant_id = $1 AND sequence >= $2 ORDER BY sequence`,
    [tenantId, sequence],
  );
  let prevHash = rows[0]!.prevHash;
  for (const row of rows) {
    const outcome = row.sequence === sequence ? 'denied' : row.outcome;
    const hash = eventHash(canonicalJson(contentOf({ ...row, outcome, prevHash }) as unknown as Json));
    await client.query(
      'UPDATE audit_event SET outcome = $3, prev_hash = $4, hash = $5 WHERE tenant_id = $1 AND sequence = $2',
      [tenantId, row.sequence, outcome, prevHash, hash],
    );
    prevHash = hash;
  }
  await client.query('UPDATE audit_head SET hash = $2, prev_hash = $3 WHERE tenant_id = $1', [
    tenantId,
    prevHash,
    rows.at(-2)?.hash ?? prevHash,
  ]);
}

/** Removes every event after `sequence` and resets the head, so that the chain shows no gap. */
export async function cutOff(client: pg.Client, tenantId: string, sequence: number): Promise<void> {
  await client.query('DELETE FROM audit_event WHERE tenant_id = $1 AND sequence > $2', [tenantId, sequence]);
  await client.query(
    `
    UPDATE audit_head h SET sequence = e.sequence, hash = e.hash, prev_hash = e.prev_hash
    FROM audit_event e WHERE h.tenant_id = $1 AND e.tenant_id = $1 AND e.sequence = $2`,
    [tenantId, sequence],
  );
}

/** Also removes the checkpoints beyond `sequence` events. */
export async function forget(client: pg.Client, tenantId: string, sequence: number): Promise<void> {
  await client.query('DELETE FROM audit_checkpoint WHERE tenant_id = $1 AND tree_size > $2', [tenantId, sequence]);
  await client.query('DELETE FROM audit_node WHERE tenant_id = $1 AND (index + 1) * (1::bigint << level) > $2', [
    tenantId,
    sequence,
  ]);
}
