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
import type { Subject } from '../../rules/subject.ts';
import { bySubject, keyOf, type OfSubject, subjectMembers } from '../../rules/subject-rows.ts';
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
    // Documents of a case are no evidence of the application, which owns them all the same.
    caseId: uuid().nullable(),
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
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    environment: code<Environment>(),
    deletedAt: businessTimestamp(),
  },
  {
    owner: 'applicationOrBusiness',
    timeline: {},
    sandboxReset: 'cascade',
    insertedBy: 'app',
  },
);

/** Columns of a document as the contract shows it. */
export const wire = document.except(
  'tenantId',
  'applicationId',
  'businessId',
  'caseId',
  'environment',
  'storageKey',
  'createdBy',
  'version',
  'updatedAt',
  'erasedAt',
  'sealedAt',
);
export type Row = RowOf<typeof wire>;

export function toDocument(row: Row): Document {
  // Old rows have file names with the sender's extension, from before names got the extension of the format.
  return {
    ...row,
    fileName: safeFileName(row.fileName, row.mimeType),
    originalSha256: row.originalSha256 ?? row.sha256,
  };
}

const list = bySubject((member, kind) =>
  statement<OfSubject, Row>(
    `document.list.${kind}`,
    (p) => sql`
  SELECT ${wire} FROM document
    WHERE ${document.equal({ tenantId: p.tenantId, [member]: p.subjectId, caseId: null })}
    ORDER BY created_at DESC, id DESC`,
  ),
);

type StoredRow = Row & Pick<StoredDocument, 'environment' | 'storageKey' | 'sealedAt'>;

const find = bySubject((member, kind) =>
  statement<OfSubject & { id: string }, StoredRow>(
    `document.find.${kind}`,
    (p) => sql`
  SELECT ${wire}, ${document.select('environment', 'storageKey', 'sealedAt')} FROM document
  WHERE ${document.equal({
    tenantId: p.tenantId,
    [member]: p.subjectId,
    id: p.id,
    caseId: null,
  })}`,
  ),
);

type Content = { readonly environment: Environment; readonly originalSha256: string };

const isUsedElsewhere = bySubject((member, kind) =>
  statement<OfSubject & Content, { used: boolean }>(
    `document.isUsedElsewhere.${kind}`,
    (p) => sql`
  SELECT EXISTS (
    SELECT FROM document WHERE ${document.equal({ tenantId: p.tenantId, environment: p.environment })}
      AND coalesce(original_sha256, sha256) = ${p.originalSha256} AND ${document.column(member)} <> ${p.subjectId}
        AND status <> 'erased') AS used`,
  ),
);

const insert = statement<InsertOf<typeof document>>('document.insert', (p) => document.insert(p));

const removal = bySubject((member, kind) =>
  statement<OfSubject & { id: string; at: BusinessTime }>(
    `document.delete.${kind}`,
    (p) => sql`
  WITH gone AS (
    DELETE FROM document WHERE ${document.equal({ tenantId: p.tenantId, [member]: p.subjectId, id: p.id })}
    RETURNING tenant_id, id, ${document.column(member)}, environment)
  INSERT INTO deleted_document (${deletedDocument.list('tenantId', 'id', member, 'environment', 'deletedAt')})
  SELECT tenant_id, id, ${document.column(member)}, environment, ${p.at}::timestamptz FROM gone`,
  ),
);

/** Deletes a document and records only that it existed. The caller deletes the file after the commit. */
export function deleteDocument(tx: Transaction, subject: Subject, id: string, at: BusinessTime): void {
  void tx.run(removal(subject), { ...keyOf(tx, subject), id, at });
}

/** Lists the documents of a subject, newest first. */
export async function listDocuments(tx: Transaction, subject: Subject): Promise<Document[]> {
  return (await tx.run(list(subject), keyOf(tx, subject))).map(toDocument);
}

export interface StoredDocument {
  readonly environment: Environment;
  readonly document: Document;
  readonly storageKey: FileKey;
  readonly sealedAt: string | null;
}

export async function findDocument(tx: Transaction, subject: Subject, id: string): Promise<StoredDocument | null> {
  return storedDocument((await tx.run(find(subject), { ...keyOf(tx, subject), id }))[0]);
}

export function storedDocument(row: StoredRow | undefined): StoredDocument | null {
  if (row === undefined) return null;
  const { environment, storageKey, sealedAt, ...own } = row;
  return {
    environment,
    document: toDocument(own),
    storageKey,
    sealedAt,
  };
}

/** Returns whether another subject of the same kind contains the same file. */
export async function isReused(tx: Transaction, subject: Subject, content: Content): Promise<boolean> {
  const [row] = await tx.run(isUsedElsewhere(subject), { ...keyOf(tx, subject), ...content });
  return row?.used === true;
}

interface NewDocument extends StoredDocument {
  readonly subject: Subject;
  /** The case that the document belongs to; null for evidence of the subject. */
  readonly caseId: string | null;
  readonly createdBy: components['schemas']['Actor'];
}

export function insertDocument(
  tx: Transaction,
  {
    subject,
    document: { rejectionCode: _rejected, fileErasedAt: _erased, originalSha256, ...own },
    ...rest
  }: NewDocument,
): Promise<unknown> {
  return tx.run(insert, {
    ...own,
    ...rest,
    ...subjectMembers(subject),
    tenantId: tx.tenantId!,
    originalSha256: originalSha256 === own.sha256 ? null : originalSha256,
    updatedAt: own.createdAt,
  });
}

type Kept = Pick<Document, 'type' | 'side'>;

const replacement = bySubject((member, kind) =>
  statement<OfSubject & Kept & { at: BusinessTime }>(
    `document.supersede.${kind}`,
    (p) => sql`
  UPDATE document SET status = 'superseded', version = version + 1, updated_at = ${p.at}::timestamptz
  WHERE ${document.equal({
    tenantId: p.tenantId,
    [member]: p.subjectId,
    type: p.type,
    side: p.side,
    caseId: null,
  })} AND status IN ('uploaded', 'accepted')`,
  ),
);

/** Supersedes the documents of a type and side, before a newer one is inserted. */
export function supersede(tx: Transaction, subject: Subject, { type, side }: Kept, at: BusinessTime): void {
  void tx.run(replacement(subject), {
    ...keyOf(tx, subject),
    type,
    side,
    at,
  });
}

/** Rejects the uploaded and accepted documents of these types. */
export const rejectDocuments = statement<
  {
    tenantId: string;
    applicationId: string;
    types: readonly Document['type'][];
    rejectionCode: string;
    at: BusinessTime;
  },
  Pick<Document, 'id' | 'type' | 'rejectionCode'>
>(
  'document.reject',
  (p) => sql`
  UPDATE document SET ${document.revise(p.at, { status: 'rejected', rejectionCode: p.rejectionCode })}
  WHERE ${document.equal({ tenantId: p.tenantId, applicationId: p.applicationId, caseId: null })}
    AND type = ANY (${p.types})
    AND status IN ('uploaded', 'accepted')
  RETURNING ${document.select('id', 'type', 'rejectionCode')}`,
);
