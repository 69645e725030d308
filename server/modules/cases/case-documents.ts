import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { FileStorage } from '../../providers/files/index.ts';
import type { Context } from '../../request/handler.ts';
import type { Quotas } from '../applications/index.ts';
import {
  type Document,
  insertDocument,
  keepFile,
  listCaseDocuments,
  receivedDocument,
  type Verdict,
} from '../documents/index.ts';
import { sealingKey } from '../subject-keys/index.ts';
import { isOpen } from './assign.ts';
import { lookup } from './lookup.ts';

interface Storage {
  readonly files: FileStorage;
  readonly quotas: Quotas;
}

/** Adds a document to a case. The same file is stored once per case, and never counts as one of the application. */
export async function addCaseDocument(
  ctx: Context<'uploadCaseDocument'>,
  verdict: Verdict,
  { files, quotas }: Storage,
): Promise<{ readonly document: Document; readonly isNew: boolean }> {
  const {
    tx,
    principal,
    params: { caseId },
    files: { file },
    body,
    timeIn,
  } = ctx;
  const { tenantId } = principal;
  const record = await lookup(ctx).reviewCase(caseId).forChange();
  const { environment, applicationId } = record;
  const documents = await listCaseDocuments(tx, { tenantId, caseId: record.id });
  const known = documents.find((one) => one.originalSha256 === file.sha256 && one.fileErasedAt === null);
  if (known !== undefined) return { document: known, isNew: false };
  if (!isOpen(record)) throw new Problem('case_closed');
  const at = timeIn(environment);
  const { document, bytes } = receivedDocument(
    {
      file,
      verdict,
      description: body,
      at,
    },
    documents,
  );
  await quotas.assertStorage(tx, { tenantId, environment }, at, bytes.length);
  const key = await sealingKey(tx, { type: 'application', id: applicationId }, { environment, now: at });
  const storageKey = await keepFile(files, tenantId, { id: document.id, key, bytes });
  await insertDocument(tx, {
    tenantId,
    applicationId,
    caseId: record.id,
    environment,
    document,
    storageKey,
    sealedAt: document.createdAt,
    createdBy: actorOf(principal),
  });
  return { document, isNew: true };
}
