import type { AuditRow } from './audit-row.ts';
import { sql } from './sql.ts';
import { knex, statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

export interface AuditHead {
  readonly sequence: number;
  readonly hash: Buffer;
}

const findHead = statement<{ tenantId: string }, AuditHead>('audit.head', (p) =>
  knex('audit_head').select('sequence', 'hash').where({ tenant_id: p.tenantId }), { expectRows: 1 });

const findRows = statement<{ tenantId: string; from: number; to: number }, AuditRow>('audit.rows', (p) =>
  knex('audit_event').select('*').where({ tenant_id: p.tenantId }).where(sql`sequence BETWEEN ${p.from} AND ${p.to}`).orderBy('sequence'));

const findLast = statement<{ tenantId: string }, { sequence: number }>('audit.last', (p) =>
  knex('audit_event').select('sequence').where({ tenant_id: p.tenantId }).orderBy('sequence', 'desc').limit(1));

const findLastAbout = statement<{ tenantId: string; action: string; resourceId: string }, AuditRow>('audit.lastAbout', (p) =>
  knex('audit_event').select('*').where({ tenant_id: p.tenantId, resource_id: p.resourceId, action: p.action }).orderBy('sequence', 'desc').limit(1));

/** Where the next event of the tenant goes. */
export async function readHead(tx: Transaction, tenantId: string): Promise<AuditHead> {
  return (await tx.run(findHead, { tenantId }))[0] as AuditHead;
}

export function readRows(tx: Transaction, tenantId: string, from: number, to: number): Promise<AuditRow[]> {
  return tx.run(findRows, { tenantId, from, to });
}

/** The sequence of the last event that is stored; 0 without any. */
export async function readLastSequence(tx: Transaction, tenantId: string): Promise<number> {
  return (await tx.run(findLast, { tenantId }))[0]?.sequence ?? 0;
}

/** The newest event of this action about this resource. */
export async function readLastAbout(tx: Transaction, tenantId: string, action: string, resourceId: string): Promise<AuditRow | null> {
  return (await tx.run(findLastAbout, { tenantId, action, resourceId }))[0] ?? null;
}
