import { knex, statement, type Quotas, type Transaction } from '../../../database/index.ts';
import type { TenantStatus } from '../../../http/tenant-status.ts';
import type { Actor, TenantRecord } from '../tenant.ts';
import { tenants, toRecord, type TenantRow } from './tenant-row.ts';

const find = statement<{ id: string }, TenantRow>('tenant.find', (p) => tenants().where({ 't.id': p.id }));

const lock = statement<{ id: string }, TenantRow>('tenant.lock', (p) => tenants().where({ 't.id': p.id }).forNoKeyUpdate('t'));

const update = statement<{ id: string; name: string; plan: string; quotas: string; now: Date }>('tenant.update', (p) =>
  knex('tenant').where({ id: p.id }).update({ name: p.name, plan: p.plan, quotas: p.quotas, updated_at: p.now }), { expectRows: 1 });

const setStatus = statement<{
  id: string; status: string; suspendedFrom: string | null; reason: string; note: string | null; by: Record<string, unknown>; now: Date;
}>('tenant.setStatus', (p) => knex('tenant').where({ id: p.id }).update({
  status: p.status, suspended_from: p.suspendedFrom, status_reason: p.reason, status_note: p.note, status_changed_by: p.by, status_changed_at: p.now,
  closure_requested_at: null, closure_requested_by: null, closure_reason: null, closure_note: null, updated_at: p.now,
}), { expectRows: 1 });

const requestClosure = statement<{ id: string; by: string; reason: string; note: string | null; now: Date }>('tenant.requestClosure', (p) =>
  knex('tenant').where({ id: p.id }).update({
    closure_requested_at: p.now, closure_requested_by: p.by, closure_reason: p.reason, closure_note: p.note, updated_at: p.now,
  }), { expectRows: 1 });

const cancelClosure = statement<{ id: string; now: Date }>('tenant.cancelClosure', (p) => knex('tenant').where({ id: p.id }).update({
  closure_requested_at: null, closure_requested_by: null, closure_reason: null, closure_note: null, updated_at: p.now,
}), { expectRows: 1 });

const speak = statement<{ id: string; document: string }>('tenant.speak', (p) =>
  knex('tenant_settings').insert({ tenant_id: p.id, document: p.document }));

export async function findTenant(tx: Transaction, id: string): Promise<TenantRecord | null> {
  const [row] = await tx.run(find, { id });
  return row === undefined ? null : toRecord(row);
}

/** Held until the end of the transaction: two administrators decide one after the other. */
export async function lockTenant(tx: Transaction, id: string): Promise<TenantRecord | null> {
  const [row] = await tx.run(lock, { id });
  return row === undefined ? null : toRecord(row);
}

export async function updateTenant(tx: Transaction, id: string, terms: { name: string; plan: string; quotas: Partial<Quotas> }, now: Date): Promise<void> {
  await tx.run(update, { id, ...terms, quotas: JSON.stringify(terms.quotas), now });
}

export interface NewStatus {
  readonly status: TenantStatus;
  readonly suspendedFrom: TenantRecord['suspendedFrom'];
  readonly reason: string;
  readonly note: string | null;
  readonly by: Actor;
}

/** A closure that was asked for before is done or forgotten. */
export async function setTenantStatus(tx: Transaction, id: string, status: NewStatus, now: Date): Promise<void> {
  await tx.run(setStatus, { id, ...status, by: { ...status.by }, now });
}

export async function requestTenantClosure(tx: Transaction, id: string, request: { by: string; reason: string; note: string | null }, now: Date): Promise<void> {
  await tx.run(requestClosure, { id, ...request, now });
}

export async function cancelTenantClosure(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.run(cancelClosure, { id, now });
}

/** The first setting of a new tenant: the language of its mails and pages. */
export async function setLocale(tx: Transaction, id: string, locale: string): Promise<void> {
  await tx.run(speak, { id, document: JSON.stringify({ branding: { locale } }) });
}
