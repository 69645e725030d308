/** Table `document` and its statements, for this module and, through the index, for the modules of applications. */
import type { BusinessTime, BusinessTimestamp } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  bigint,
  code,
  codes,
  date,
  type InsertOf,
  integer,
  json,
  type RowOf,
  sql,
  statement,
  table,
  text,
  businessTimestamp,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { type FileKey } from '../../providers/files/index.ts';
import { safeFileName } from './file-name.ts';

export type Document = components['schemas']['Document'] & { readonly createdAt: BusinessTimestamp };

export const document = table(
  'document',
  {
    id: uuid(),
    type: code<Document['type']>(),
    side: code<Document['side']>(),
    country: text().nullable().unsealed('a country identifies nobody, and lists of documents show it').erasedTo(null),
    expiresOn: date().nullable().erasedTo(null).changes('a simulation lets the sandbox document expire'),
    fileName: text().unsealed('lists of documents show the file name').erasedTo(''),
    mimeType: code<Document['mimeType']>(),
    sizeBytes: bigint(),
    sha256: text().impersonal('a digest by which duplicates of the file are found'),
    // Null if the file is stored as it was sent.
    originalSha256: text().nullable().impersonal('a digest of the file as it was uploaded'),
    pageCount: integer().nullable(),
    status: code<Document['status']>().erasedTo('erased').changes('a newer document supersedes the document'),
    // A new document is not rejected.
    rejectionCode: code().nullable().defaulted().changes('the document becomes unusable'),
    signals: codes().erasedTo([]),
    answers: json<NonNullable<Document['answers']>>()
      .nullable()
      .impersonal('ids of the information request and of its items that the document answers'),
    fileErasedAt: businessTimestamp()
      .nullable()
      .defaulted()
      .changes('the retention period of a biometric image has ended'),
    createdAt: businessTimestamp(),
    tenantId: uuid(),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    environment: code<Environment>(),
    storageKey: text<FileKey>().impersonal('a random key, whose file the erasure removes'),
    createdBy: actor(),
    version: integer().defaulted().changes('a simulation lets the sandbox document expire'),
    updatedAt: businessTimestamp().changes('a simulation lets the sandbox document expire'),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the application of the document is erased'),
    sealedAt: timestamp().nullable().changes('a job seals a file that was stored before files were sealed'),
  },
  {
    owner: 'applicationOrBusiness',
    timeline: {
      'document.uploaded': null,
      'document.deleted': null,
      'document.rejected': null,
      'document.file_erased': null,
    },
    sandboxReset: { emptiedBefore: 'application' },
    insertedBy: 'app',
    example: {
      type: 'passport',
      side: 'single',
      fileName: 'a.pdf',
      mimeType: 'application/pdf',
      sha256: '0'.repeat(64),
      storageKey: 'k',
    },
  },
);

/** Records that a document existed. */
const deletedDocument = table(
  'deleted_document',
  {
    tenantId: uuid(),
    id: uuid(),
    applicationId: uuid(),
    environment: code<Environment>(),
    deletedAt: businessTimestamp(),
  },
  {
    owner: 'application',
    timeline: {},
    sandboxReset: 'cascade',
    insertedBy: 'app',
  },
);

const wire = document.except(
  'tenantId',
  'applicationId',
  'businessId',
  'environment',
  'storageKey',
  'createdBy',
  'version',
  'updatedAt',
  'erasedAt',
  'sealedAt',
);
type Row = RowOf<typeof wire>;

function toDocument(row: Row): Document {
  // Old rows have file names with the sender's extension, from before names got the extension of the format.
  return {
    ...row,
    fileName: safeFileName(row.fileName, row.mimeType),
    originalSha256: row.originalSha256 ?? row.sha256,
  };
}

export type OfApplication = { tenantId: string; applicationId: string };

const list = statement<OfApplication, Row>(
  'document.list',
  (p) => sql`
  SELECT ${wire} FROM document WHERE ${document.equal({ tenantId: p.tenantId, applicationId: p.applicationId })}
    ORDER BY created_at DESC, id DESC`,
);

const find = statement<
  OfApplication & { id: string },
  Row & Pick<StoredDocument, 'environment' | 'storageKey' | 'sealedAt'>
>(
  'document.find',
  (p) => sql`
  SELECT ${wire}, ${document.select('environment', 'storageKey', 'sealedAt')} FROM document
  WHERE ${document.equal({ tenantId: p.tenantId, applicationId: p.applicationId, id: p.id })}`,
);

const isUsedElsewhere = statement<
  OfApplication & { environment: Environment; originalSha256: string },
  { used: boolean }
>(
  'document.isUsedElsewhere',
  (p) => sql`
  SELECT EXISTS (
    SELECT FROM document WHERE ${document.equal({ tenantId: p.tenantId, environment: p.environment })}
      AND coalesce(original_sha256, sha256) = ${p.originalSha256} AND application_id <> ${p.applicationId}
        AND status <> 'erased') AS used`,
);

const insert = statement<InsertOf<typeof document>>('document.insert', (p) => document.insert(p));

/** Deletes a document and records only that it existed. The caller deletes the file after the commit. */
export const deleteDocument = statement<OfApplication & { id: string; at: BusinessTime }>(
  'document.delete',
  (p) => sql`
  WITH gone AS (
    DELETE FROM document WHERE ${document.equal({ tenantId: p.tenantId, applicationId: p.applicationId, id: p.id })}
    RETURNING tenant_id, id, application_id, environment)
  INSERT INTO deleted_document (${deletedDocument.list('tenantId', 'id', 'applicationId', 'environment', 'deletedAt')})
  SELECT tenant_id, id, application_id, environment, ${p.at}::timestamptz FROM gone`,
);

/** Lists the documents of an application, newest first. */
export async function listDocuments(tx: Transaction, key: OfApplication): Promise<Document[]> {
  return (await tx.run(list, key)).map(toDocument);
}

interface StoredDocument {
  readonly environment: Environment;
  readonly document: Document;
  readonly storageKey: FileKey;
  readonly sealedAt: string | null;
}

export async function findDocument(
  tx: Transaction,
  key: OfApplication & { id: string },
): Promise<StoredDocument | null> {
  const [row] = await tx.run(find, key);
  if (row === undefined) return null;
  const { environment, storageKey, sealedAt, ...own } = row;
  return {
    environment,
    document: toDocument(own),
    storageKey,
    sealedAt,
  };
}

/** Returns whether another application of the tenant contains the same file. */
export async function isReused(
  tx: Transaction,
  key: OfApplication & { environment: Environment; originalSha256: string },
): Promise<boolean> {
  const [row] = await tx.run(isUsedElsewhere, key);
  return row?.used === true;
}

interface NewDocument extends OfApplication, StoredDocument {
  readonly createdBy: components['schemas']['Actor'];
}

export function insertDocument(
  tx: Transaction,
  { document: { rejectionCode: _rejected, fileErasedAt: _erased, originalSha256, ...own }, ...rest }: NewDocument,
): Promise<unknown> {
  return tx.run(insert, {
    ...own,
    ...rest,
    businessId: null,
    originalSha256: originalSha256 === own.sha256 ? null : originalSha256,
    updatedAt: own.createdAt,
  });
}

/** Supersedes the documents of a type and side, before a newer one is inserted. */
export const supersede = statement<
  OfApplication & { type: Document['type']; side: Document['side']; at: BusinessTime }
>(
  'document.supersede',
  (p) => sql`
  UPDATE document SET status = 'superseded', version = version + 1, updated_at = ${p.at}::timestamptz
  WHERE ${document.equal({
    tenantId: p.tenantId,
    applicationId: p.applicationId,
    type: p.type,
    side: p.side,
  })} AND status IN ('uploaded', 'accepted')`,
);

/** Rejects the uploaded and accepted documents of these types. */
export const rejectDocuments = statement<
  OfApplication & { types: readonly Document['type'][]; rejectionCode: string; at: BusinessTime },
  Pick<Document, 'id' | 'type' | 'rejectionCode'>
>(
  'document.reject',
  (p) => sql`
  UPDATE document SET ${document.revise(p.at, { status: 'rejected', rejectionCode: p.rejectionCode })}
  WHERE ${document.equal({ tenantId: p.tenantId, applicationId: p.applicationId })} AND type = ANY (${p.types})
    AND status IN ('uploaded', 'accepted')
  RETURNING ${document.select('id', 'type', 'rejectionCode')}`,
);

type Target = { tenantId: string; id: string };

/** Finds the application of a target, which is an application or a document. */
export const findTarget = statement<Target & { type: string }, { id: string; environment: Environment }>(
  'application.findTarget',
  (p) => sql`
  SELECT id, environment FROM application WHERE tenant_id = ${p.tenantId} AND id = ${p.id} AND erased_at IS NULL
    AND ${p.type}::text = 'application'
  UNION ALL
  SELECT application_id, environment FROM document
    WHERE ${document.equal({ tenantId: p.tenantId, id: p.id, erasedAt: null })} AND application_id IS NOT NULL
      AND ${p.type}::text = 'document'`,
);

type ExpiredRow = Pick<Document, 'id' | 'expiresOn'>;

/** Sets the expiry date of valid evidence to the past. Returns the previous dates. */
export const expireEvidence = statement<Target & { today: string; yesterday: string; at: BusinessTime }, ExpiredRow>(
  'document.expire',
  (p) => sql`
  UPDATE document d
    SET expires_on = ${p.yesterday}::date, version = d.version + 1,
    updated_at = greatest(${p.at}::timestamptz, d.updated_at + interval '1 millisecond')
  FROM (
    SELECT tenant_id, id, expires_on FROM document
    WHERE tenant_id = ${p.tenantId}::uuid AND (id = ${p.id}::uuid OR application_id = ${p.id}::uuid)
      AND environment = 'sandbox'
      AND status IN ('uploaded', 'accepted') AND (expires_on IS NULL OR expires_on >= ${p.today}::date)
    ORDER BY id FOR UPDATE
  ) before
  WHERE d.tenant_id = before.tenant_id AND d.id = before.id
  RETURNING d.id, before.expires_on AS "expiresOn"`,
);

const LISTED = 100;

/** Finds the documents of the sandbox that expire between two days. */
export const findExpiring = statement<{ tenantId: string; from: string; to: string }, ExpiredRow>(
  'document.findExpiring',
  (p) => sql`
  SELECT ${document.select('id', 'expiresOn')} FROM document
  WHERE ${document.equal({ tenantId: p.tenantId, environment: 'sandbox' })} AND status IN ('uploaded', 'accepted')
    AND expires_on >= ${p.from} AND expires_on < ${p.to}
  ORDER BY expires_on, id LIMIT ${LISTED}`,
);
