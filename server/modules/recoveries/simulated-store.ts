/**
 * Statements for recoveries that exist only by simulation. Used by simulate-event.ts. Such a record has no time of a
 * last read, which keeps ingestion from asking the directory for it.
 */
import type { Environment } from '../../contract/operation.ts';
import { sql, statement } from '../../database/index.ts';
import { recovery } from '../recovery-feed/index.ts';
import type { Snapshot } from './recovery.ts';
import { record, type RecoveryKey } from './store.ts';

type SimulatedRow = {
  tenantId: string;
  id: string;
  ispb: string;
  root: string;
  status: string;
  at: Date;
  analysedAt: Date | null;
  key: string;
  snapshot: Snapshot;
};

/**
 * Saves a record that no directory was ever read for (`last_read_at` is null), so that ingestion ignores it. A recovery
 * of the sandbox's directory stays as it was last read, whatever is simulated about it.
 */
export const upsertSimulatedRecord = statement<SimulatedRow>(
  'simulation.saveRecord',
  (p) => sql`
  INSERT INTO fr_record AS known (${record.list(
    'tenantId',
    'environment',
    'id',
    'ispb',
    'role',
    'rootTransactionId',
    'status',
    'revision',
    'createdAt',
    'updatedAt',
    'analysedAt',
    'keys',
    'held',
    'snapshot',
  )})
  VALUES (${p.tenantId}, 'sandbox', ${p.id}, ${p.ispb}, 'SENT', ${p.root}, ${p.status}, 1, ${p.at}, ${p.at},
    ${p.analysedAt}, jsonb_build_array(${p.key}::text), '{}', ${p.snapshot})
  ON CONFLICT (tenant_id, env, funds_recovery_id) DO UPDATE SET
    status = excluded.status, revision = known.revision + 1, last_modified = excluded.last_modified,
    analysed_at = coalesce(known.analysed_at, excluded.analysed_at),
      published_keys = known.published_keys || excluded.published_keys,
    snapshot = jsonb_set(excluded.snapshot, '{FundsRecovery,CreationTime}',
      known.snapshot #> '{FundsRecovery,CreationTime}')
  WHERE known.last_read_at IS NULL`,
);

export const findRecovery = statement<RecoveryKey, { environment: Environment; status: string; erased: boolean }>(
  'feed.findRecovery',
  (p) => sql`
  SELECT ${recovery.select('environment')}, fr_recovery.status, erased_at IS NOT NULL AS erased FROM fr_recovery
    LEFT JOIN fr_record USING (tenant_id, env, funds_recovery_id)
  WHERE tenant_id = ${p.tenantId}::uuid AND funds_recovery_id = ${p.id}::uuid`,
);
