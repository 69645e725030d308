import type { components } from '../../contract/generated/types.ts';
import type { FieldError } from '../../contract/problem.ts';
import { knex, sql, statement, type Transaction } from '../../database/index.ts';
import { type JsonValue, mergePatchKeepingNull } from '../../rules/merge-patch.ts';
import { defaultSettings, type TenantSettings, type VersionedSettings } from './settings.ts';

type Actor = components['schemas']['Actor'];

interface Row {
  readonly document: { readonly [member: string]: JsonValue };
  readonly version: number;
  readonly updated_by: Actor | null;
  readonly updated_at: string;
}

const find = statement<{ tenantId: string }, Row>('settings.find', (p) => knex('tenant as t')
  .leftJoin('tenant_settings as s', 's.tenant_id', 't.id').where({ 't.id': p.tenantId }).select(
    sql`coalesce(s.document, '{}') AS document`, sql`coalesce(s.version, 1) AS version`,
    's.updated_by', sql`coalesce(s.updated_at, t.created_at) AS updated_at`));

const ensure = statement<{ tenantId: string }>('settings.ensure', (p) =>
  knex('tenant_settings').insert({ tenant_id: p.tenantId }).onConflict('tenant_id').ignore());

const lock = statement<{ tenantId: string }, Row>('settings.lock', (p) =>
  knex('tenant_settings').select('document', 'version', 'updated_by', 'updated_at').where({ tenant_id: p.tenantId }).forUpdate());

const replace = statement<{ tenantId: string; document: string; updatedBy: string; now: Date }, Row>('settings.replace', (p) =>
  knex('tenant_settings').where({ tenant_id: p.tenantId })
    .update({ document: p.document, updated_by: p.updatedBy, updated_at: p.now, version: sql`version + 1` })
    .returning(['document', 'version', 'updated_by', 'updated_at']));

/** The settings of a tenant as they hold now, for whoever goes by them. A tenant that is not there has the defaults. */
export async function readSettings(tx: Transaction, tenantId: string): Promise<TenantSettings> {
  const [row] = await tx.run(find, { tenantId });
  return row === undefined ? defaultSettings : merged(row.document);
}

export async function findSettings(tx: Transaction, tenantId: string): Promise<VersionedSettings> {
  return versioned((await tx.run(find, { tenantId }))[0] as Row);
}

/** What the tenant itself has set, held until the end of the transaction. */
export interface OwnSettings {
  readonly own: { readonly [member: string]: JsonValue };
  readonly current: VersionedSettings;
}

export async function lockSettings(tx: Transaction, tenantId: string): Promise<OwnSettings> {
  // Of two first changes one inserts the row and the other waits for it.
  void tx.run(ensure, { tenantId });
  const row = (await tx.run(lock, { tenantId }))[0] as Row;
  return { own: row.document, current: versioned(row) };
}

export async function replaceSettings(tx: Transaction, tenantId: string, document: JsonValue, updatedBy: Actor, now: Date): Promise<VersionedSettings> {
  return versioned((await tx.run(replace, { tenantId, document: JSON.stringify(document), updatedBy: JSON.stringify(updatedBy), now }))[0] as Row);
}

function versioned(row: Row): VersionedSettings {
  return { settings: merged(row.document), version: row.version, updatedAt: row.updated_at, updatedBy: row.updated_by };
}

/** The platform's defaults with what the tenant has set. */
export function merged(own: JsonValue): TenantSettings {
  return mergePatchKeepingNull(defaultSettings, own) as unknown as TenantSettings;
}

const findLogo = statement<{ tenantId: string; id: string }, { found: boolean }>('settings.logo', (p) =>
  knex('document').select(sql`true AS found`).where({ tenant_id: p.tenantId, id: p.id, type: 'other' }).whereLike('mime_type', 'image/%').whereNot('status', 'erased'));

/** A logo is a picture of the tenant's own that is filed as nothing in particular: never somebody's identity card. */
export async function logoErrors(tx: Transaction, tenantId: string, documentId: string | null | undefined): Promise<FieldError[]> {
  if (documentId === null || documentId === undefined) return [];
  const [row] = await tx.run(findLogo, { tenantId, id: documentId });
  return row !== undefined ? [] : [{ pointer: '/branding/logoDocumentId', code: 'unknown_document', message: 'must be a picture of this tenant, uploaded with the type other' }];
}
