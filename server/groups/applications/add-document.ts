import { actorOf } from '../../contract/actor.ts';
import type { components } from '../../contract/generated/types.ts';
import type { UploadedFile } from '../../contract/request.ts';
import { uuidv7 } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import type { FileStorage } from '../../providers/files/index.ts';
import { readToChange, type Reach } from './access.ts';
import type { Document } from './application.ts';
import type { Clocks } from './calendar.ts';
import { safeFileName } from './file-name.ts';
import type { Verdict } from './inspection/inspector.ts';
import type { Quotas } from './quota.ts';
import { assertOpen } from './status.ts';
import { insertDocument, isReused, listDocuments } from './store/documents.ts';

const MAX_DOCUMENTS = 40;
const MAX_BYTES = 150 * 1024 * 1024;
const EARLIEST_EXPIRY = '1900-01-01';

interface Upload extends Reach, Clocks {
  readonly params: { readonly applicationId: string };
  readonly body: Omit<components['schemas']['DocumentUpload'], 'file'>;
  readonly file: UploadedFile;
}

/** Stores a file once per application. The lock on the application makes simultaneous uploads see each other. */
export async function addDocument(ctx: Upload, verdict: Verdict, { files, quotas }: { files: FileStorage; quotas: Quotas }): Promise<{ document: Document; isNew: boolean }> {
  const { tx, principal, params: { applicationId }, file } = ctx;
  const of = { tenantId: principal.tenantId, applicationId };
  const [application, documents] = await Promise.all([readToChange(ctx, applicationId), listDocuments(tx, of)]);
  const known = documents.find(({ sha256 }) => sha256 === file.sha256);
  if (known !== undefined) return { document: known, isNew: false };
  assertOpen(application.status);
  assertRoom(documents, file.bytes.length);
  const { environment } = application;
  const now = ctx.timeIn(environment);
  if (verdict instanceof Problem) throw verdict;
  const { mimeType, pageCount } = verdict;
  const [reused] = await Promise.all([
    isReused(tx, { ...of, environment, sha256: file.sha256 }), quotas.assertStorage(tx, { tenantId: principal.tenantId, environment }, now, file.bytes.length),
  ]);
  const document: Document = {
    id: uuidv7(), ...described(ctx.body), fileName: safeFileName(file.name, mimeType), mimeType, sizeBytes: file.bytes.length,
    sha256: file.sha256, pageCount, status: 'uploaded', rejectionCode: null, signals: reused ? ['reused_in_other_application'] : [],
    createdAt: now.toISOString(),
  };
  const storageKey = await files.put(principal.tenantId, file.bytes);
  void insertDocument(tx, { ...of, environment, document, storageKey, createdBy: actorOf(principal) });
  return { document, isNew: true };
}

function assertRoom(documents: readonly Document[], size: number): void {
  const bytes = documents.reduce((sum, { sizeBytes }) => sum + sizeBytes, size);
  if (documents.length >= MAX_DOCUMENTS || bytes > MAX_BYTES) throw new Problem('document_limit');
}

function described({ type, side = 'single', country, expiresOn }: Upload['body']): Pick<Document, 'type' | 'side' | 'country' | 'expiresOn'> {
  if (expiresOn !== undefined && expiresOn < EARLIEST_EXPIRY) {
    throw new Problem('validation_failed', { errors: [{ pointer: '/expiresOn', code: 'range', message: `must not be before ${EARLIEST_EXPIRY}` }] });
  }
  return { type, side, country: country ?? null, expiresOn: expiresOn ?? null };
}
