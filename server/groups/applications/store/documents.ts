import type { components } from '../../../contract/generated/types.ts';
import type { Environment } from '../../../contract/principal.ts';
import { knex, sql, statement, type Transaction, type Values } from '../../../database/index.ts';
import type { FileKey } from '../../../providers/files/index.ts';
import type { Document } from '../application.ts';
import { safeFileName } from '../file-name.ts';

const columns = [
  'id', 'type', 'side', 'country', 'expires_on', 'file_name', 'mime_type', 'size_bytes', 'sha256', 'page_count', 'status', 'rejection_code',
  'signals', 'created_at',
] as const;

interface Row {
  readonly id: string;
  readonly type: Document['type'];
  readonly side: Document['side'];
  readonly country: string | null;
  readonly expires_on: string | null;
  readonly file_name: string;
  readonly mime_type: Document['mimeType'];
  readonly size_bytes: number;
  readonly sha256: string;
  readonly page_count: number | null;
  readonly status: Document['status'];
  readonly rejection_code: string | null;
  readonly signals: string[];
  readonly created_at: string;
}

function toDocument(row: Row): Document {
  return {
    id: row.id,
    type: row.type,
    side: row.side,
    country: row.country,
    expiresOn: row.expires_on,
    // Rows from before names took the extension of the format still have the sender's.
    fileName: safeFileName(row.file_name, row.mime_type),
    mimeType: row.mime_type,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    pageCount: row.page_count,
    status: row.status,
    rejectionCode: row.rejection_code,
    signals: row.signals,
    createdAt: row.created_at,
  };
}

type OfApplication = { tenantId: string; applicationId: string };

const list = statement<OfApplication, Row>('document.list', (p) =>
  knex('document').select(...columns).where({ tenant_id: p.tenantId, application_id: p.applicationId })
    .orderBy([{ column: 'created_at', order: 'desc' }, { column: 'id', order: 'desc' }]));

const find = statement<OfApplication & { id: string }, Row & { environment: Environment; storage_key: FileKey }>('document.find', (p) =>
  knex('document').select(...columns, 'environment', 'storage_key').where({ tenant_id: p.tenantId, application_id: p.applicationId, id: p.id }));

const isUsedElsewhere = statement<OfApplication & { environment: string; sha256: string }, { used: boolean }>('document.isUsedElsewhere', (p) =>
  sql`SELECT EXISTS (
    SELECT FROM document WHERE tenant_id = ${p.tenantId}::uuid AND environment = ${p.environment} AND sha256 = ${p.sha256} AND application_id <> ${p.applicationId}::uuid) AS used`);

interface DocumentValues extends Values {
  readonly tenantId: string;
  readonly applicationId: string;
  readonly environment: string;
  readonly id: string;
  readonly type: string;
  readonly side: string;
  readonly country: string | null;
  readonly expiresOn: string | null;
  readonly fileName: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly pageCount: number | null;
  readonly status: string;
  readonly signals: readonly string[];
  readonly storageKey: FileKey;
  readonly createdBy: string;
  readonly createdAt: string;
}

const insert = statement<DocumentValues>('document.insert', (p) =>
  knex('document').insert({
    tenant_id: p.tenantId, application_id: p.applicationId, environment: p.environment, id: p.id, type: p.type, side: p.side,
    country: p.country, expires_on: p.expiresOn, file_name: p.fileName, mime_type: p.mimeType, size_bytes: p.sizeBytes, sha256: p.sha256,
    page_count: p.pageCount, status: p.status, signals: p.signals, storage_key: p.storageKey, created_by: p.createdBy,
    created_at: p.createdAt, updated_at: p.createdAt,
  }));

/** Newest first. */
export async function listDocuments(tx: Transaction, key: OfApplication): Promise<Document[]> {
  return (await tx.run(list, key)).map(toDocument);
}

export interface StoredDocument {
  readonly environment: Environment;
  readonly document: Document;
  readonly storageKey: FileKey;
}

export async function findDocument(tx: Transaction, key: OfApplication & { id: string }): Promise<StoredDocument | null> {
  const [row] = await tx.run(find, key);
  return row === undefined ? null : { environment: row.environment, document: toDocument(row), storageKey: row.storage_key };
}

/** Whether another application of the tenant holds the same bytes. */
export async function isReused(tx: Transaction, key: OfApplication & { environment: string; sha256: string }): Promise<boolean> {
  const [row] = await tx.run(isUsedElsewhere, key);
  return row?.used === true;
}

export interface NewDocument extends OfApplication, StoredDocument {
  readonly createdBy: components['schemas']['Actor'];
}

export function insertDocument(tx: Transaction, { document, storageKey, createdBy, ...of }: NewDocument): Promise<unknown> {
  const { rejectionCode, ...values } = document;
  return tx.run(insert, { ...of, ...values, storageKey, createdBy: JSON.stringify(createdBy) });
}
