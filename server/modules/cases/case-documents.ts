import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { FileStorage } from '../../providers/files/index.ts';
import type { Context } from '../../request/handler.ts';
import { subjectNamedBy } from '../../rules/subject.ts';
import type { Quotas } from '../applications/index.ts';
import { type Document, keepDocument, listCaseDocuments, sameFile, type Verdict } from '../documents/index.ts';
import { isOpen } from './assign.ts';
import { lookup } from './lookup.ts';

interface Storage {
  readonly files: FileStorage;
  readonly quotas: Quotas;
}

/** Adds a document to a case. The same file is stored once per case, and never counts as one of its subject. */
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
  const { environment } = record;
  const documents = await listCaseDocuments(tx, { tenantId, caseId: record.id });
  const known = sameFile(documents, file);
  if (known !== undefined) return { document: known, isNew: false };
  if (!isOpen(record)) throw new Problem('case_closed');
  const at = timeIn(environment);
  const document = await keepDocument(tx, files, {
    subject: subjectNamedBy(record),
    caseId: record.id,
    environment,
    file,
    verdict,
    description: body,
    at,
    createdBy: actorOf(principal),
    others: documents,
    answers: null,
    replaces: false,
    assertStorage: (bytes) => quotas.assertStorage(tx, { tenantId, environment }, at, bytes),
  });
  return { document, isNew: true };
}
