/**
 * Publishes an invented event of a recovery into the sandbox feed. Exported by the index and called by the module
 * sandbox. Never touches a live recovery; takes the lock of the record writers first, as ingestion does, so that both
 * cannot deadlock.
 */
import { uuidv7 } from '../../base/uuid.ts';
import type { Transaction } from '../../database/index.ts';
import { sandboxIspb } from '../../simulators/directory/index.ts';
import { type NewEvent, publishEvents } from '../recovery-feed/index.ts';
import type { RecoveryRecord } from './recovery.ts';
import { findRecovery, upsertSimulatedRecord } from './simulated-store.ts';
import { lockRecordWriters } from './store.ts';

interface LifecycleStep {
  readonly eventType: string;
  readonly status: NewEvent['status'];
}

const lifecycleStep = (name: string, status: string): LifecycleStep => ({
  eventType: `FUNDS_RECOVERY_${name}`,
  status,
});

/** Events of a successful recovery, in the order in which the directory announces them. */
const LIFECYCLE: readonly LifecycleStep[] = [
  lifecycleStep('CREATED', 'CREATED'),
  lifecycleStep('TRACKED', 'TRACKED'),
  lifecycleStep('AWAITING_ANALYSIS', 'AWAITING_ANALYSIS'),
  lifecycleStep('ANALYSED', 'ANALYSED'),
  lifecycleStep('REFUNDING', 'REFUNDING'),
  lifecycleStep('COMPLETED', 'COMPLETED'),
];

/**
 * Returns the next step of the usual lifecycle, or null if the recovery has ended. A null status means that the
 * recovery has not begun.
 */
function nextLifecycleStep(status: string | null): LifecycleStep | null {
  const index = LIFECYCLE.findIndex((at) => at.status === status);
  return (status !== null && index === -1 ? null : LIFECYCLE[index + 1]) ?? null;
}

/**
 * Returns the status after an event. An event that leads to no status of its own, or an unknown one, leaves the status
 * unchanged.
 */
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

/**
 * Builds the id of the root payment. The participant made the payment when the recovery began, which is the time in the
 * recovery's id (UUIDv7), so later events refer to the same payment.
 */
function rootTransactionId(ispb: string, id: string): string {
  const hex = id.replaceAll('-', '');
  const paidAt = new Date(Number.parseInt(hex.slice(0, 12), 16));
  return `E${ispb}${paidAt.toISOString().replaceAll(/\D/g, '').slice(0, 12)}${hex.slice(-11)}`;
}

/**
 * Saves a record, so that a recovery that exists only by simulation can be read like any other. The transaction must
 * hold `lockRecordWriters`, so that no other transaction writes records.
 */
async function saveSimulatedRecord(tx: Transaction, { id, status, at, dedupeKey }: SimulatedStatus): Promise<void> {
  const tenantId = tx.tenantId!;
  const ispb = sandboxIspb(tenantId);
  const time = at.toISOString();
  const root = rootTransactionId(ispb, id);
  const snapshot: RecoveryRecord['snapshot'] = {
    FundsRecovery: {
      Id: id,
      Status: status,
      RootTransactionId: root,
      ReporterParticipant: ispb,
      CreationTime: time,
      LastModified: time,
    },
    TrackingGraph: null,
    InfractionReports: [],
    Refunds: [],
  };
  await tx.run(upsertSimulatedRecord, {
    tenantId,
    id,
    ispb,
    root,
    status,
    at,
    analysedAt: status === 'ANALYSED' ? at : null,
    key: dedupeKey,
    snapshot,
  });
}

/** Event that a caller simulates in the sandbox. */
interface SimulatedEvent {
  readonly simulationId: string;
  /** Null starts a new recovery. */
  readonly fundsRecoveryId: string | null;
  /** Null selects the next event of the usual lifecycle. */
  readonly eventType: string | null;
  readonly at: Date;
}

interface Published {
  readonly outcome: 'published';
  readonly fundsRecoveryId: string;
  readonly eventType: string;
  readonly status: string;
}

/** `live`: the recovery is a real one. `ended`: no event can follow. */
type SimulationResult = Published | { readonly outcome: 'live' | 'unknown' | 'ended' };

/**
 * Publishes one event of a recovery into the sandbox feed, and saves its record. Takes the lock of the record writers
 * first, like ingestion and a reset, so that simultaneous simulations of a recovery run one after the other.
 */
export async function simulateEvent(
  tx: Transaction,
  { simulationId, fundsRecoveryId, eventType, at }: SimulatedEvent,
): Promise<SimulationResult> {
  const tenantId = tx.tenantId!;
  await lockRecordWriters(tx, 'sandbox');
  const rows = fundsRecoveryId === null ? [] : await tx.run(findRecovery, { tenantId, id: fundsRecoveryId });
  const known = rows.find(({ environment }) => environment === 'sandbox');
  if (known === undefined && fundsRecoveryId !== null) return { outcome: rows.length > 0 ? 'live' : 'unknown' };
  const status = known?.status ?? null;
  const next =
    eventType === null ? nextLifecycleStep(status) : { eventType, status: statusAfterEvent(eventType, status) };
  if (next === null) return { outcome: 'ended' };
  const id = fundsRecoveryId ?? uuidv7();
  const occurredAt = at.toISOString();
  const dedupeKey = `simulation:${simulationId}`;
  await saveSimulatedRecord(tx, {
    id,
    status: next.status,
    at,
    dedupeKey,
  });
  const payload = {
    FundsRecovery: { Id: id, Status: next.status, LastModified: occurredAt },
    '@meta': { source: 'SANDBOX', origin: 'SIMULATED' },
  };
  const event: NewEvent = {
    ...next,
    fundsRecoveryId: id,
    occurredAt,
    dedupeKey,
    // If the payloads of a recovery were erased, later events carry none either, as for a recovery of the directory.
    rawPayload: known?.erased === true ? null : payload,
  };
  await publishEvents(tx, 'sandbox', [event]);
  return { outcome: 'published', fundsRecoveryId: id, ...next };
}
