import { sql, statement, type Transaction } from '../../database/index.ts';
import { sandboxIspb } from '../../directory-simulator/index.ts';
import type { RecoveryRecord } from './ingestion/index.ts';

type Simulated = { tenantId: string; id: string; ispb: string; root: string; status: string; at: Date; analysedAt: Date | null; key: string; snapshot: string };

/**
 * A record that no directory was ever read for (`last_read_at`), so that ingestion leaves it alone. One of the sandbox's
 * directory stays as it was last read, whatever is simulated about it.
 */
const save = statement<Simulated>('simulation.saveRecord', (p) => sql`
  INSERT INTO fr_record AS known (tenant_id, env, funds_recovery_id, ispb, role, root_transaction_id, status, revision, created_at, last_modified,
    analysed_at, published_keys, held, snapshot)
  VALUES (${p.tenantId}::uuid, 'sandbox', ${p.id}::uuid, ${p.ispb}, 'SENT', ${p.root}, ${p.status}, 1, ${p.at}::timestamptz, ${p.at}::timestamptz, ${p.analysedAt}::timestamptz, jsonb_build_array(${p.key}::text), '{}', ${p.snapshot}::jsonb)
  ON CONFLICT (tenant_id, env, funds_recovery_id) DO UPDATE SET
    status = excluded.status, revision = known.revision + 1, last_modified = excluded.last_modified,
    analysed_at = coalesce(known.analysed_at, excluded.analysed_at), published_keys = known.published_keys || excluded.published_keys,
    snapshot = jsonb_set(excluded.snapshot, '{FundsRecovery,CreationTime}', known.snapshot #> '{FundsRecovery,CreationTime}')
  WHERE known.last_read_at IS NULL`);

export interface Simulation {
  readonly id: string;
  readonly status: string;
  readonly at: Date;
  readonly dedupeKey: string;
}

/** Lets a recovery that exists by simulation alone be read like any other. Its transaction writes records alone, by `lockRecordWriters`. */
export async function saveSimulatedRecord(tx: Transaction, { id, status, at, dedupeKey }: Simulation): Promise<void> {
  const tenantId = tx.tenantId!;
  const ispb = sandboxIspb(tenantId);
  const time = at.toISOString();
  const root = `E${ispb}${'0'.repeat(12)}${id.replaceAll('-', '').slice(-11)}`;
  const snapshot: RecoveryRecord['snapshot'] = {
    FundsRecovery: { Id: id, Status: status, RootTransactionId: root, ReporterParticipant: ispb, CreationTime: time, LastModified: time },
    TrackingGraph: null, InfractionReports: [], Refunds: [],
  };
  await tx.run(save, { tenantId, id, ispb, root, status, at, analysedAt: status === 'ANALYSED' ? at : null, key: dedupeKey, snapshot: JSON.stringify(snapshot) });
}
