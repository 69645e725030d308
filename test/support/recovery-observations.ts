/**
 * What the directory shows of one recovery of one participant, in minutes after its creation. Used by the tests of
 * derived events and deadlines.
 */
import { randomUUID } from 'node:crypto';
import type { Observation } from '../../server/modules/recoveries/observation.ts';
import type { RecoveryDocument } from '../../server/providers/directory/index.ts';
import { sandboxIspb } from '../../server/simulators/directory/core/values.ts';

export const tenantId = '0197f2c4-8a0f-7b1d-8c44-91d0e3f5b602';
export const ispb = sandboxIspb(tenantId);
export const begin = Date.parse('2026-11-21T12:00:00.000Z');
export const short = (eventType: string) => eventType.replace('FUNDS_RECOVERY_', '');

export const at = (minutes: number) => new Date(begin + minutes * 60_000).toISOString();

export function recovery(status: string, modified: number, more: Partial<RecoveryDocument> = {}): RecoveryDocument {
  return {
    Id: 'f0e1d2c3-0000-4000-8000-000000000001',
    Status: status,
    RootTransactionId: `E${ispb}202611211200abcdefghijk`,
    ReporterParticipant: ispb,
    CreationTime: at(0),
    LastModified: at(modified),
    ...more,
  };
}

export function seen(minutes: number, document: RecoveryDocument, more: Partial<Observation> = {}): Observation {
  return {
    ispb,
    at: new Date(at(minutes)),
    notifications: [],
    page: null,
    recovery: document,
    graph: null,
    reports: [],
    refunds: [],
    gapSince: null,
    read: {
      source: 'DICT',
      correlationId: '0'.repeat(32),
      receivedAt: at(minutes),
      signature: 'VERIFIED',
      sha256: 'a'.repeat(64),
    },
    ...more,
  };
}

/** Reports the root payment unless another one is named. */
export const report = (opened: number, modified: number, more: object = {}) => ({
  Id: 'r1',
  TransactionId: recovery('CREATED', 0).RootTransactionId,
  Status: 'CLOSED',
  AnalysisResult: 'AGREED',
  ReporterParticipant: ispb,
  CounterpartyParticipant: '99999999',
  CreationTime: at(opened),
  LastModified: at(modified),
  ...more,
});
export const refund = (opened: number, modified: number) => ({
  Id: 'd1',
  Status: 'CLOSED',
  RequestingParticipant: ispb,
  ContestedParticipant: '99999999',
  CreationTime: at(opened),
  LastModified: at(modified),
});

export const notification = (event: string, minutes: number) => ({
  Id: randomUUID(),
  Event: `FUNDS_RECOVERY_${event}`,
  EntityType: 'FUNDS_RECOVERY',
  EntityId: recovery('CREATED', 0).Id,
  Timestamp: at(minutes),
  Participant: ispb,
});
