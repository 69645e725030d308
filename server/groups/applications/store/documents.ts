import type { components } from '../../../contract/generated/types.ts';
import type { Environment } from '../../../contract/principal.ts';
import {
  bigint, date, integer, json, sql, statement, table, text, texts, timestamp, uuid, type InsertOf, type RowOf, type Transaction,
} from '../../../database/index.ts';
import type { FileKey } from '../../../providers/files/index.ts';
import type { Document } from '../application.ts';
import { safeFileName } from '../file-name.ts';

export const document = table('document', {
  id: uuid().fixed(),
  type: text<Document['type']>().fixed(),
  side: text<Document['side']>().fixed(),
  country: text().nullable().fixed(),
  expiresOn: date().nullable(),
  fileName: text().fixed(),
  mimeType: text<Document['mimeType']>().fixed(),
  sizeBytes: bigint().fixed(),
  sha256: text().fixed(),
  pageCount: integer().nullable().fixed(),
  status: text<Document['status']>(),
  // Nothing rejects yet.
  rejectionCode: text().nullable().defaulted(),
  signals: texts(),
  createdAt: timestamp().fixed(),
  tenantId: uuid().fixed(),
  applicationId: uuid().fixed(),
  environment: text<Environment>().fixed(),
  storageKey: text<FileKey>().fixed(),
  createdBy: json<components['schemas']['Actor']>().fixed(),
  version: integer().defaulted(),
  updatedAt: timestamp(),
});

const wire = document.except('tenantId', 'applicationId', 'environment', 'storageKey', 'createdBy', 'version', 'updatedAt');
type Row = RowOf<typeof wire>;

function toDocument(row: Row): Document {
  // Rows from before names took the extension of the format still have the sender's.
  return { ...row, fileName: safeFileName(row.fileName, row.mimeType) };
}

type OfApplication = { tenantId: string; applicationId: string };

const list = statement<OfApplication, Row>('document.list', (p) => sql`
  SELECT ${wire} FROM document WHERE ${document.equal({ tenantId: p.tenantId, applicationId: p.applicationId })} ORDER BY created_at DESC, id DESC`);

const find = statement<OfApplication & { id: string }, Row & Pick<StoredDocument, 'environment' | 'storageKey'>>('document.find', (p) => sql`
  SELECT ${wire}, ${document.select('environment', 'storageKey')} FROM document
  WHERE ${document.equal({ tenantId: p.tenantId, applicationId: p.applicationId, id: p.id })}`);

const isUsedElsewhere = statement<OfApplication & { environment: Environment; sha256: string }, { used: boolean }>('document.isUsedElsewhere', (p) => sql`
  SELECT EXISTS (
    SELECT FROM document WHERE ${document.equal({ tenantId: p.tenantId, environment: p.environment, sha256: p.sha256 })}
      AND application_id <> ${p.applicationId}) AS used`);

const insert = statement<InsertOf<typeof document>>('document.insert', (p) => document.insert(p));

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
  if (row === undefined) return null;
  const { environment, storageKey, ...own } = row;
  return { environment, document: toDocument(own), storageKey };
}

/** Whether another application of the tenant holds the same bytes. */
export async function isReused(tx: Transaction, key: OfApplication & { environment: Environment; sha256: string }): Promise<boolean> {
  const [row] = await tx.run(isUsedElsewhere, key);
  return row?.used === true;
}

export interface NewDocument extends OfApplication, StoredDocument {
  readonly createdBy: components['schemas']['Actor'];
}

export function insertDocument(tx: Transaction, { document: { rejectionCode, ...own }, ...rest }: NewDocument): Promise<unknown> {
  return tx.run(insert, { ...own, ...rest, updatedAt: own.createdAt });
}
