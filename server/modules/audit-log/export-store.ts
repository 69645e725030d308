/**
 * Table `audit_export` and its statements: which part of the log a caller has ordered, and how far the task has read
 * it. Used by exports.ts and export-content.ts. One export per tenant runs at a time: `insertExport` then returns no
 * row.
 */
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  bigint,
  boolean,
  code,
  codes,
  type InsertOf,
  json,
  type RowOf,
  sql,
  statement,
  table,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';

type Schemas = components['schemas'];

export const auditExport = table(
  'audit_export',
  {
    tenantId: uuid(),
    id: uuid(),
    status: code<'running' | 'ready' | 'failed'>().defaulted().changes('the export task reads its range of the log'),
    format: code<'ndjson' | 'csv'>(),
    includeProofs: boolean(),
    filter: json<Schemas['AuditExportFilter']>(),
    // Environments that the caller who ordered the export sees.
    environments: codes<Environment>(),
    // Range of the log to read, and the sequence up to which it was read.
    firstSequence: bigint(),
    lastSequence: bigint().changes('a checkpoint signs the range of the export'),
    position: bigint().changes('the export task reads its range of the log'),
    // Size of the checkpoint that signs the whole range; null until there is one, and in CSV.
    treeSize: bigint().nullable().defaulted().changes('a checkpoint signs the range of the export'),
    eventCount: bigint().defaulted().changes('the export task reads its range of the log'),
    sizeBytes: bigint().defaulted().changes('the export task reads its range of the log'),
    createdAt: timestamp(),
    createdBy: actor(),
    readyAt: timestamp().nullable().defaulted().changes('the export task reads its range of the log'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'an export is a copy of a part of the log, which also covers the sandbox' },
    insertedBy: 'app',
    example: {
      format: 'csv',
      includeProofs: false,
      environments: ['live'],
      lastSequence: 5,
      position: 0,
    },
  },
);

const whole = auditExport.select();
export type ExportRow = RowOf<typeof whole>;

type Key = { tenantId: string; id: string };

const find = statement<Key, ExportRow>(
  'auditExport.find',
  (p) => sql`SELECT ${whole} FROM audit_export WHERE ${auditExport.equal({ tenantId: p.tenantId, id: p.id })}`,
);

/** Inserts an export. Returns no row if another export of the tenant is running. */
const insertUnlessRunning = statement<InsertOf<typeof auditExport>, ExportRow>(
  'auditExport.insert',
  (p) => sql`
  ${auditExport.insert(p)} ON CONFLICT (tenant_id) WHERE status = 'running' DO NOTHING RETURNING ${whole}`,
);

const sign = statement<Key & { treeSize: number; lastSequence: number }>(
  'auditExport.sign',
  (p) => sql`
  UPDATE audit_export SET ${auditExport.assign({ treeSize: p.treeSize, lastSequence: p.lastSequence })}
    WHERE ${auditExport.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

type Progress = {
  position: number;
  events: number;
  bytes: number;
  status: ExportRow['status'];
  readyAt: Date | null;
};

const advance = statement<Key & Progress>(
  'auditExport.advance',
  (p) => sql`
  UPDATE audit_export SET ${auditExport.assign({
    position: p.position,
    eventCount: sql`event_count + ${p.events}`,
    sizeBytes: sql`size_bytes + ${p.bytes}`,
    status: p.status,
    readyAt: p.readyAt,
  })} WHERE ${auditExport.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

const fail = statement<Key>(
  'auditExport.fail',
  (p) => sql`
  UPDATE audit_export SET ${auditExport.assign({ status: 'failed' })}
    WHERE ${auditExport.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

const keyOf = (tx: Transaction, id: string): Key => ({ tenantId: tx.tenantId!, id });

export async function findExport(tx: Transaction, id: string): Promise<ExportRow | null> {
  return (await tx.run(find, keyOf(tx, id)))[0] ?? null;
}

export async function insertExport(tx: Transaction, row: InsertOf<typeof auditExport>): Promise<ExportRow | null> {
  return (await tx.run(insertUnlessRunning, row))[0] ?? null;
}

export function signExport(tx: Transaction, id: string, range: { treeSize: number; lastSequence: number }): void {
  void tx.run(sign, { ...keyOf(tx, id), ...range });
}

export function advanceExport(tx: Transaction, id: string, progress: Progress): void {
  void tx.run(advance, { ...keyOf(tx, id), ...progress });
}

export function failExport(tx: Transaction, id: string): void {
  void tx.run(fail, keyOf(tx, id));
}
