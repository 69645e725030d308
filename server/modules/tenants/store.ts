/**
 * Statements on `tenant` for the staff of the platform. Used by the handlers and changes of this module. They leave out
 * the platform's own tenant. Changes lock the row, so that two administrators decide one after the other.
 */
import type { RealTime } from '../../base/time.ts';
import type { Knex } from 'knex';
import { containing, keyset, knex, type RowOf, sql, statement, type Transaction } from '../../database/index.ts';
import { tenant, tenantSettings } from '../../identity/tables.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import type { Quotas, TenantStatus } from '../../identity/tenant.ts';
import type { Position } from '../../request/pagination.ts';
import type { Actor, TenantRecord } from './tenant.ts';

const t = tenant.as('t');
const shown = t.select(
  'id',
  'name',
  'slug',
  'status',
  'statusReason',
  'statusNote',
  'statusChangedAt',
  'statusChangedBy',
  'suspendedFrom',
  'closureRequestedAt',
  'closureRequestedBy',
  'closureReason',
  'closureNote',
  'quotas',
  'region',
  'plan',
  'createdAt',
  'updatedAt',
  'goLiveAt',
  'version',
);

interface TenantRow extends RowOf<typeof shown> {
  readonly closureRequester: string | null;
}

/** Selects all tenants except the platform's own, which is not administered. */
function tenantsQuery(): Knex.QueryBuilder {
  return knex('tenant as t')
    .whereNot('t.id', PLATFORM_TENANT_ID)
    .select(
      sql`${shown}, (SELECT u.name FROM user_account u WHERE u.id = t.closure_requested_by) AS "closureRequester"`,
    );
}

function toRecord(row: TenantRow): TenantRecord {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    status: row.status,
    statusReason: statusReasonOf(row),
    suspendedFrom: row.suspendedFrom,
    closure: closureOf(row),
    quotas: row.quotas,
    region: row.region,
    plan: row.plan,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    goLiveAt: row.goLiveAt,
    version: row.version,
  };
}

/** A tenant without a status change by staff has no reason, for example after it went live by itself. */
function statusReasonOf(row: TenantRow): TenantRecord['statusReason'] {
  if (row.statusReason === null || row.statusChangedBy === null) return null;
  return {
    code: row.statusReason,
    note: row.statusNote,
    by: row.statusChangedBy,
    at: row.statusChangedAt!,
  };
}

function closureOf(row: TenantRow): TenantRecord['closure'] {
  if (row.closureRequestedAt === null) return null;
  return {
    reasonCode: row.closureReason!,
    note: row.closureNote,
    requestedAt: row.closureRequestedAt,
    requestedBy: { type: 'platform_user', id: row.closureRequestedBy!, display: row.closureRequester! },
  };
}

const find = statement<{ id: string }, TenantRow>('tenant.find', (p) => tenantsQuery().where({ 't.id': p.id }));

const lock = statement<{ id: string }, TenantRow>('tenant.lock', (p) =>
  tenantsQuery().where({ 't.id': p.id }).forNoKeyUpdate('t'),
);

/** Terms of a tenant that staff of the platform change. */
type TenantTerms = {
  readonly name: string;
  readonly plan: string;
  readonly quotas: Partial<Quotas>;
};

const update = statement<TenantTerms & { id: string; now: RealTime }>(
  'tenant.update',
  (p) => sql`
  UPDATE tenant SET ${tenant.assign({
    name: p.name,
    plan: p.plan,
    quotas: p.quotas,
    updatedAt: p.now,
  })}
  WHERE ${tenant.equal({ id: p.id })}`,
  { expectRows: 1 },
);

const NO_CLOSURE = {
  closureRequestedAt: null,
  closureRequestedBy: null,
  closureReason: null,
  closureNote: null,
} as const;

const setStatus = statement<NewStatus & { id: string; now: RealTime }>(
  'tenant.setStatus',
  (p) => sql`
  UPDATE tenant SET ${tenant.assign({
    status: p.status,
    suspendedFrom: p.suspendedFrom,
    statusReason: p.reason,
    statusNote: p.note,
    statusChangedBy: p.by,
    statusChangedAt: p.now,
    ...NO_CLOSURE,
    updatedAt: p.now,
  })}
  WHERE ${tenant.equal({ id: p.id })}`,
  { expectRows: 1 },
);

type ClosureRequest = { readonly by: string; readonly reason: string; readonly note: string | null };

const requestClosure = statement<ClosureRequest & { id: string; now: RealTime }>(
  'tenant.requestClosure',
  (p) => sql`
  UPDATE tenant SET ${tenant.assign({
    closureRequestedAt: p.now,
    closureRequestedBy: p.by,
    closureReason: p.reason,
    closureNote: p.note,
    updatedAt: p.now,
  })}
  WHERE ${tenant.equal({ id: p.id })}`,
  { expectRows: 1 },
);

const cancelClosure = statement<{ id: string; now: RealTime }>(
  'tenant.cancelClosure',
  (p) => sql`
  UPDATE tenant SET ${tenant.assign({ ...NO_CLOSURE, updatedAt: p.now })} WHERE ${tenant.equal({ id: p.id })}`,
  { expectRows: 1 },
);

const insertLocale = statement<{ id: string; document: object; now: RealTime }>('tenant.speak', (p) =>
  tenantSettings.insert({ tenantId: p.id }, { document: p.document, updatedAt: p.now }),
);

export async function findTenant(tx: Transaction, id: string): Promise<TenantRecord | null> {
  const [row] = await tx.run(find, { id });
  return row === undefined ? null : toRecord(row);
}

/** Locks a tenant until the end of the transaction, so that two administrators decide one after the other. */
export async function lockTenant(tx: Transaction, id: string): Promise<TenantRecord | null> {
  const [row] = await tx.run(lock, { id });
  return row === undefined ? null : toRecord(row);
}

export async function updateTenant(tx: Transaction, id: string, terms: TenantTerms, now: RealTime): Promise<void> {
  await tx.run(update, { id, ...terms, now });
}

type NewStatus = {
  readonly status: TenantStatus;
  readonly suspendedFrom: TenantRecord['suspendedFrom'];
  readonly reason: string;
  readonly note: string | null;
  readonly by: Actor;
};

/** Sets the status. Also clears a pending request for closure, because it is then done or void. */
export async function setTenantStatus(tx: Transaction, id: string, status: NewStatus, now: RealTime): Promise<void> {
  await tx.run(setStatus, { id, ...status, now });
}

export async function requestTenantClosure(
  tx: Transaction,
  id: string,
  request: ClosureRequest,
  now: RealTime,
): Promise<void> {
  await tx.run(requestClosure, { id, ...request, now });
}

export async function cancelTenantClosure(tx: Transaction, id: string, now: RealTime): Promise<void> {
  await tx.run(cancelClosure, { id, now });
}

/** Stores the first setting of a new tenant: the language of its mails and pages. */
export async function setLocale(tx: Transaction, id: string, locale: string, now: RealTime): Promise<void> {
  await tx.run(insertLocale, { id, document: { branding: { locale } }, now });
}

interface TenantFilter {
  readonly statuses: readonly string[];
  readonly q?: string | undefined;
  readonly plan?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedAfter?: Date | undefined;
}

export type TenantOrder = { readonly by: 'name' | 'createdAt'; readonly direction: 'asc' | 'desc' };

/** Sort keys. A name is cut to the length that fits into a cursor. */
const KEYS = {
  name: { key: sql`left(lower(t.name), 60)`, type: sql`text` },
  createdAt: { key: sql`t.created_at`, type: sql`timestamptz` },
};

/** Tenants to be listed: at most `count` of them after the position. */
interface TenantQuery {
  readonly filter: TenantFilter;
  readonly order: TenantOrder;
  readonly after: Position | null;
  readonly count: number;
}

interface ListedTenant {
  readonly tenant: TenantRecord;
  readonly position: Position;
}

export async function listTenants(tx: Transaction, query: TenantQuery): Promise<ListedTenant[]> {
  const rows = await tx.query<TenantRow & { readonly sortKey: string }>(listQuery(query));
  return rows.map((row) => ({ tenant: toRecord(row), position: [row.sortKey, row.id] }));
}

function listQuery({ filter, order: { by, direction }, after, count }: TenantQuery): Knex.QueryBuilder {
  const page = keyset({ ...KEYS[by], id: sql`t.id`, direction }, after);
  const query = tenantsQuery().select(sql`${KEYS[by].key} AS "sortKey"`).orderByRaw(page.order).limit(count);
  if (filter.statuses.length > 0) query.whereIn('t.status', filter.statuses);
  if (filter.q !== undefined)
    query.where(sql`(t.name ILIKE ${containing(filter.q)} OR t.slug ILIKE ${containing(filter.q)})`);
  if (filter.plan !== undefined) query.where('t.plan', filter.plan);
  if (filter.createdAfter !== undefined) query.where('t.created_at', '>=', filter.createdAfter);
  if (filter.createdBefore !== undefined) query.where('t.created_at', '<', filter.createdBefore);
  if (filter.updatedAfter !== undefined) query.where('t.updated_at', '>=', filter.updatedAfter);
  if (page.after !== false) query.where(page.after);
  return query;
}
