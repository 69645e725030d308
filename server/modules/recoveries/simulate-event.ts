import { uuidv7 } from '../../base/uuid.ts';
import type { Transaction } from '../../database/index.ts';
import { sandboxIspb } from '../../simulators/directory/index.ts';
import { type NewEvent, publishEvents } from '../recovery-feed/index.ts';
import type { RecoveryRecord } from './recovery.ts';
import { findRecovery, lockRecordWriters, upsertSimulatedRecord } from './store.ts';

interface LifecycleStep {
  readonly eventType: string;
  readonly status: NewEvent['status'];
}

const lifecycleStep = (name: string, status: string): LifecycleStep => ({ eventType: `FUNDS_RECOVERY_${name}`, status });

/** The events of a recovery that succeeds, in the order in which the directory announces them. */
const LIFECYCLE: readonly LifecycleStep[] = [
  lifecycleStep('CREATED', 'CREATED'), lifecycleStep('TRACKED', 'TRACKED'), lifecycleStep('AWAITING_ANALYSIS', 'AWAITING_ANALYSIS'), lifecycleStep('ANALYSED', 'ANALYSED'),
  lifecycleStep('REFUNDING', 'REFUNDING'), lifecycleStep('COMPLETED', 'COMPLETED'),
];

/** What follows in the usual course; null once the recovery has ended. Without a status it has not begun. */
function nextLifecycleStep(status: string | null): LifecycleStep | null {
  const index = LIFECYCLE.findIndex((at) => at.status === status);
  return (status !== null && index === -1 ? null : LIFECYCLE[index + 1]) ?? null;
}

/** The status after an event. One that leads to no status of its own, or that nobody knows yet, leaves it as it is. */
function statusAfterEvent(eventType: string, status: string | null): string {
  const known = [...LIFECYCLE, lifecycleStep('CANCELLED', 'CANCELLED')].find((at) => at.eventType === eventType);
  return known?.status ?? status ?? 'CREATED';
}

interface SimulatedStatus {
  readonly id: string;
  readonly status: string;
  readonly at: Date;
  readonly dedupeKey: string;
}

/** The payment was made by the participant when the recovery began, which is the time in its id (UUIDv7), so that later events tell of the same one. */
function rootTransactionId(ispb: string, id: string): string {
  const hex = id.replaceAll('-', '');
  const paidAt = new Date(Number.parseInt(hex.slice(0, 12), 16));
  return `E${ispb}${paidAt.toISOString().replaceAll(/\D/g, '').slice(0, 12)}${hex.slice(-11)}`;
}

/** Lets a recovery that exists by simulation alone be read like any other. Its transaction writes records alone, by `lockRecordWriters`. */
async function saveSimulatedRecord(tx: Transaction, { id, status, at, dedupeKey }: SimulatedStatus): Promise<void> {
  const tenantId = tx.tenantId!;
  const ispb = sandboxIspb(tenantId);
  const time = at.toISOString();
  const root = rootTransactionId(ispb, id);
  const snapshot: RecoveryRecord['snapshot'] = {
    FundsRecovery: { Id: id, Status: status, RootTransactionId: root, ReporterParticipant: ispb, CreationTime: time, LastModified: time },
    TrackingGraph: null, InfractionReports: [], Refunds: [],
  };
  await tx.run(upsertSimulatedRecord, { tenantId, id, ispb, root, status, at, analysedAt: status === 'ANALYSED' ? at : null, key: dedupeKey, snapshot });
}

/** The event that a caller wants to happen in the sandbox. */
interface SimulatedEvent {
  readonly simulationId: string;
  /** Null begins a new recovery. */
  readonly fundsRecoveryId: string | null;
  /** Null takes the next event of the usual course. */
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
type SimulationResult = Published | { readonly outcome: 'live' | 'unknown' | 'ended' };

/**
 * Publishes one event of a recovery into the sandbox feed, and keeps its record. The lock of those who write records comes
 * first, as for ingestion and a reset, so that simultaneous simulations of a recovery follow one another.
 */
export async function simulateEvent(tx: Transaction, { simulationId, fundsRecoveryId, eventType, at }: SimulatedEvent): Promise<SimulationResult> {
  const tenantId = tx.tenantId!;
  await lockRecordWriters(tx, 'sandbox');
  const rows = fundsRecoveryId === null ? [] : await tx.run(findRecovery, { tenantId, id: fundsRecoveryId });
  const known = rows.find(({ environment }) => environment === 'sandbox');
  if (known === undefined && fundsRecoveryId !== null) return { outcome: rows.length > 0 ? 'live' : 'unknown' };
  const status = known?.status ?? null;
  const next = eventType === null ? nextLifecycleStep(status) : { eventType, status: statusAfterEvent(eventType, status) };
  if (next === null) return { outcome: 'ended' };
  const id = fundsRecoveryId ?? uuidv7();
  const occurredAt = at.toISOString();
  const dedupeKey = `simulation:${simulationId}`;
  await saveSimulatedRecord(tx, { id, status: next.status, at, dedupeKey });
  await publishEvents(tx, 'sandbox', [{
    ...next, fundsRecoveryId: id, occurredAt, dedupeKey,
    // A recovery whose payloads were erased gets none with later events either, as for a recovery of the directory.
    rawPayload: known?.erased === true ? null : { FundsRecovery: { Id: id, Status: next.status, LastModified: occurredAt }, '@meta': { source: 'SANDBOX', origin: 'SIMULATED' } },
  }]);
  return { outcome: 'published', fundsRecoveryId: id, ...next };
}
