import type { BusinessTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { UploadedFile } from '../../contract/operation-types.ts';
import { Problem } from '../../contract/problem.ts';
import { safeFileName } from './file-name.ts';
import type { Verdict } from './inspection/inspector.ts';
import type { Document } from './store.ts';

/** Bounds of the documents of one application, or of one case. */
const MAX_DOCUMENTS = 40;
const MAX_BYTES = 150 * 1024 * 1024;

export interface Received {
  readonly file: UploadedFile;
  readonly verdict: Verdict;
  readonly description: Omit<components['schemas']['DocumentUpload'], 'file'>;
  readonly at: BusinessTime;
}

/**
 * Returns a new document with the bytes to store, which are fewer than the sent ones if a tail was cut off. Throws the
 * problem that the inspection of the file has found, and one if there is no room beside the other documents.
 */
export function receivedDocument(
  { file, verdict, description, at }: Received,
  others: readonly Document[],
): { readonly document: Document; readonly bytes: Uint8Array } {
  if (verdict instanceof Problem) throw verdict;
  const { mimeType, pageCount, kept } = verdict;
  const bytes = kept === null ? file.bytes : file.bytes.subarray(0, kept.size);
  assertRoom(others, bytes.length);
  const { type, side = 'single', country, expiresOn } = description;
  const document: Document = {
    id: uuidv7(),
    type,
    side,
    country: country ?? null,
    expiresOn: expiresOn ?? null,
    fileName: safeFileName(file.name, mimeType),
    mimeType,
    sizeBytes: bytes.length,
    sha256: kept?.sha256 ?? file.sha256,
    originalSha256: file.sha256,
    pageCount,
    status: 'uploaded',
    rejectionCode: null,
    fileErasedAt: null,
    signals: kept === null ? [] : ['tail_removed'],
    answers: null,
    createdAt: at.toISOString(),
  };
  return { document, bytes };
}

function assertRoom(documents: readonly Document[], size: number): void {
  const bytes = documents.reduce(
    (sum, { sizeBytes, fileErasedAt }) => sum + (fileErasedAt === null ? sizeBytes : 0),
    size,
  );
  if (documents.length >= MAX_DOCUMENTS || bytes > MAX_BYTES) throw new Problem('document_limit');
}
