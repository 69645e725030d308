/**
 * Adds a received file as a document of a subject: checks the room, stores the sealed bytes, and inserts the row.
 * Called, through the index, by the modules of subjects and cases, which hold the lock on the record. If the
 * transaction fails, the hourly sweep removes the file.
 */
import type { components } from '../../contract/generated/types.ts';
import type { UploadedFile } from '../../contract/operation-types.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import type { FileStorage } from '../../providers/files/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { sealingKey } from '../subject-keys/index.ts';
import { type Received, receivedDocument } from './received-document.ts';
import { keepFile } from './stored-file.ts';
import { type Document, insertDocument, isReused, supersede } from './store.ts';

interface Keeping extends Received {
  readonly subject: Subject;
  /** The case that the document belongs to; null for evidence of the subject. */
  readonly caseId: string | null;
  readonly environment: Environment;
  readonly createdBy: components['schemas']['Actor'];
  /** All documents beside which there must be room. */
  readonly others: readonly Document[];
  /** What the document answers; null if no request for information is open. */
  readonly answers: Document['answers'];
  /** Whether the document supersedes older ones of its type and side. Those of a draft stand beside each other. */
  readonly replaces: boolean;
  /** Rejects bytes beyond the quota of the tenant. */
  readonly assertStorage: (bytes: number) => Promise<void>;
}

export async function keepDocument(tx: Transaction, files: FileStorage, about: Keeping): Promise<Document> {
  const { subject, caseId, environment, at, answers } = about;
  const received = receivedDocument(about, about.others);
  const { bytes } = received;
  const [reused] = await Promise.all([
    caseId === null && isReused(tx, subject, { environment, originalSha256: about.file.sha256 }),
    about.assertStorage(bytes.length),
  ]);
  const document: Document = {
    ...received.document,
    signals: [...(reused ? [`reused_in_other_${subject.kind}`] : []), ...received.document.signals],
    answers,
  };
  const key = await sealingKey(tx, { type: subject.kind, id: subject.id }, { environment, now: at });
  const storageKey = await keepFile(files, tx.tenantId!, { id: document.id, key, bytes });
  if (about.replaces) supersede(tx, subject, document, at);
  void insertDocument(tx, {
    subject,
    caseId,
    environment,
    document,
    storageKey,
    sealedAt: document.createdAt,
    createdBy: about.createdBy,
  });
  return document;
}

/** Finds the document with the same file among others, because a file is stored once. */
export function sameFile(
  documents: readonly Document[],
  { sha256 }: { readonly sha256: string },
): Document | undefined {
  return documents.find((one) => one.originalSha256 === sha256 && one.fileErasedAt === null);
}

/** Returns what the audit log records of a new document: its digests, and how many bytes were cut off. */
export function uploadedChanges(
  { type, sha256, originalSha256, sizeBytes }: Document,
  { bytes }: UploadedFile,
): object {
  const cut = sha256 === originalSha256 ? {} : { originalSha256, removedBytes: bytes.length - sizeBytes };
  return { type, sha256, ...cut };
}
