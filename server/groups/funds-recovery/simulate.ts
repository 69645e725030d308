import { sql, statement, uuidv7 } from '../../database/index.ts';
import type { Transaction } from '../../database/index.ts';
import { statusAfter, stepAfter } from './course.ts';
import { lockRecordWriters } from './ingestion/index.ts';
import { publishEvents } from './publish.ts';
import { saveSimulatedRecord } from './simulated-record.ts';

/** What shall happen in the sandbox. */
export interface SimulatedEvent {
  readonly simulationId: string;
  /** Null begins a new recovery. */
  readonly fundsRecoveryId: string | null;
  /** Null takes the next of the usual course. */
  readonly eventType: string | null;
  readonly at: Date;
}

interface Published {
  readonly outcome: 'published';
  readonly fundsRecoveryId: string;
  readonly eventType: string;
  readonly status: string;
}

/** `live`: the recovery is a real one. `ended`: nothing follows any more. */
export type SimulationResult = Published | { readonly outcome: 'live' | 'unknown' | 'ended' };

const findRecovery = statement<{ tenantId: string; id: string }, { env: string; status: string; erased: boolean }>('feed.findRecovery', (p) => sql`
  SELECT env, fr_recovery.status, erased_at IS NOT NULL AS erased FROM fr_recovery LEFT JOIN fr_record USING (tenant_id, env, funds_recovery_id)
  WHERE tenant_id = ${p.tenantId}::uuid AND funds_recovery_id = ${p.id}::uuid`);

/**
 * Publishes one event of a recovery into the sandbox feed, and keeps its record. The lock of those who write records comes
 * first, as for ingestion and a reset, so that simultaneous simulations of a recovery follow one another.
 */
export async function simulateEvent(tx: Transaction, { simulationId, fundsRecoveryId, eventType, at }: SimulatedEvent): Promise<SimulationResult> {
  const tenantId = tx.tenantId!;
  await lockRecordWriters(tx, 'sandbox');
  const rows = fundsRecoveryId === null ? [] : await tx.run(findRecovery, { tenantId, id: fundsRecoveryId });
  const known = rows.find(({ env }) => env === 'sandbox');
  if (known === undefined && fundsRecoveryId !== null) return { outcome: rows.length > 0 ? 'live' : 'unknown' };
  const status = known?.status ?? null;
  const next = eventType === null ? stepAfter(status) : { eventType, status: statusAfter(eventType, status) };
  if (next === null) return { outcome: 'ended' };
  const id = fundsRecoveryId ?? uuidv7();
  const occurredAt = at.toISOString();
  const dedupeKey = `simulation:${simulationId}`;
  await saveSimulatedRecord(tx, { id, status: next.status, at, dedupeKey });
  await publishEvents(tx, 'sandbox', [{
    ...next, fundsRecoveryId: id, occurredAt, dedupeKey,
    // Erased is erased for later events, too, even of what never told of anybody.
    rawPayload: known?.erased === true ? null : { FundsRecovery: { Id: id, Status: next.status, LastModified: occurredAt }, '@meta': { source: 'SANDBOX', origin: 'SIMULATED' } },
  }]);
  return { outcome: 'published', fundsRecoveryId: id, ...next };
}
