/**
 * Adding, removing and expiring documents of an application. Called by document-handlers.ts and, for the expiry, by the
 * sandbox through the index. Locks the application, so that the same file is stored once. Files are deleted only after
 * the commit; a document that proves a consent or an attestation cannot be removed.
 */
import { addMilliseconds, type BusinessTime, DAY_MILLISECONDS, type RealTime } from '../../../base/time.ts';
import type { components } from '../../../contract/generated/types.ts';
import type { UploadedFile } from '../../../contract/operation-types.ts';
import { actorOf, type AnyPrincipal } from '../../../contract/operation.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Transaction } from '../../../database/index.ts';
import type { FileKey, FileStorage } from '../../../providers/files/index.ts';
import type { Access } from '../../../request/lookup.ts';
import { assertNoEvidence, findOpenRequest, type Invalidated, provesAttestation } from '../../decisions/index.ts';
import { type BusinessClocks, calendarDate } from '../../../rules/brazilian-calendar.ts';
import {
  deleteDocument,
  type Document,
  expireEvidence,
  findDocument,
  findExpiring,
  keepDocument,
  listDocuments,
  sameFile,
  type Verdict,
} from '../../documents/index.ts';
import { publish } from '../../subject-events/index.ts';
import { reviewAgain } from '../decisions/pending-decision.ts';
import { type ApplicationRecord, assertOpen, type Requirement, subjectOf } from '../record/application.ts';
import type { Contents } from '../record/present.ts';
import type { Quotas } from '../record/quotas.ts';
import { lookup } from '../record/lookup.ts';
import { readContents } from '../record/read-applications.ts';
import { lockApplication } from '../record/store.ts';
import { answeredBy } from './answers.ts';
import { assertNotTakenBack, isBiometric } from './biometrics.ts';
import { listConsents, provesConsent } from './consent-store.ts';
import { assessedOf } from './requirement-rules.ts';
import { requirementsOf } from './requirements.ts';

interface Upload extends Access, BusinessClocks {
  readonly principal: AnyPrincipal;
  readonly params: { readonly applicationId: string };
  readonly body: Omit<components['schemas']['DocumentUpload'], 'file'>;
  readonly files: { readonly file: UploadedFile };
  readonly now: RealTime;
}

/** The document, whether it is new, and the waiting decision that it invalidates. */
interface Added {
  readonly document: Document;
  readonly isNew: boolean;
  readonly invalidated: Invalidated | null;
}

/**
 * Adds a document. The same file is stored once per application; the lock on the application makes simultaneous uploads
 * see each other.
 */
export async function addDocument(
  ctx: Upload,
  verdict: Verdict,
  { files, quotas }: { files: FileStorage; quotas: Quotas },
): Promise<Added> {
  const {
    tx,
    principal,
    params: { applicationId },
    files: { file },
  } = ctx;
  const { tenantId } = principal;
  const subject = subjectOf({ id: applicationId });
  const [application, documents, consents] = await Promise.all([
    lookup(ctx).application(applicationId).forChange(),
    listDocuments(tx, subject),
    isBiometric(ctx.body.type) ? listConsents(tx, { tenantId, applicationId }) : [],
  ]);
  assertNotTakenBack(
    ctx.body.type,
    consents,
    documents.filter(({ originalSha256 }) => originalSha256 === file.sha256),
  );
  const known = sameFile(documents, file);
  if (known !== undefined) return { document: known, isNew: false, invalidated: null };
  assertOpen(application.status);
  const open = application.status === 'needs_information' ? await findOpenRequest(tx, subject) : null;
  const { environment } = application;
  const at = ctx.timeIn(environment);
  const document = await keepDocument(tx, files, {
    subject,
    caseId: null,
    environment,
    file,
    verdict,
    description: ctx.body,
    at,
    createdBy: actorOf(principal),
    others: documents,
    answers: open === null ? null : answeredBy(open, ctx.body.type),
    // A submitted document remains beside its replacement.
    replaces: application.status !== 'draft',
    assertStorage: (bytes) => quotas.assertStorage(tx, { tenantId, environment }, at, bytes),
  });
  const invalidated = await reviewAgain(ctx, application);
  await publish(tx, {
    type: 'document.added',
    subject,
    environment,
    documentId: document.id,
    documentType: document.type,
    at,
    now: ctx.now,
  });
  return { document, isNew: true, invalidated };
}

interface Removal extends Access, BusinessClocks {
  readonly principal: AnyPrincipal;
  readonly params: { readonly applicationId: string; readonly documentId: string };
}

/**
 * Removes a document from a draft, unless a consent or an attestation names it as evidence. The caller deletes the file
 * after the commit.
 */
export async function removeDocument(
  ctx: Removal,
): Promise<Pick<Document, 'type' | 'sha256'> & { readonly storageKey: FileKey }> {
  const {
    tx,
    principal: { tenantId },
    params: { applicationId, documentId },
  } = ctx;
  const subject = subjectOf({ id: applicationId });
  const [application, found, provesOne, provesOther] = await Promise.all([
    lookup(ctx).application(applicationId).forChange(),
    findDocument(tx, subject, documentId),
    provesConsent(tx, { tenantId, documentId }),
    provesAttestation(tx, { tenantId, documentId }),
  ]);
  if (found === null) throw new Problem('not_found');
  assertNoEvidence(application.status);
  if (provesOne || provesOther) throw new Problem('document_is_evidence');
  deleteDocument(tx, subject, documentId, ctx.timeIn(application.environment));
  return { type: found.document.type, sha256: found.document.sha256, storageKey: found.storageKey };
}

interface Expired {
  readonly documentId: string;
  /** Previous expiry date, YYYY-MM-DD; null if the document had none. */
  readonly expiredOn: string | null;
}

interface ExpiredDocuments {
  /** Expiry date that the documents have now. */
  readonly expiresOn: string;
  readonly documents: readonly Expired[];
  /** Requirements whose status changed because documents expired. */
  readonly requirements: readonly Requirement[];
  /** Waiting decision that was invalidated because its evidence has changed. */
  readonly invalidated: Invalidated | null;
}

/** Application of the sandbox, and what of it is to expire: the application itself or one of its documents. */
interface Target {
  readonly applicationId: string;
  readonly targetId: string;
}

/**
 * Expires a document of the sandbox, or all documents of an application, by the clock of the sandbox. Returns null if
 * there is no such application any more.
 */
export async function expireDocuments(
  tx: Transaction,
  { applicationId, targetId }: Target,
  { now, sandboxNow }: { now: RealTime; sandboxNow: BusinessTime },
): Promise<ExpiredDocuments | null> {
  const tenantId = tx.tenantId!;
  const of = { tenantId, applicationId };
  const today = calendarDate(sandboxNow);
  const expiresOn = calendarDate(addMilliseconds(sandboxNow, -DAY_MILLISECONDS));
  const [before, rows, after, application] = await Promise.all([
    readContents(tx, of),
    tx.run(expireEvidence, {
      tenantId,
      id: targetId,
      today,
      yesterday: expiresOn,
      at: sandboxNow,
    }),
    listDocuments(tx, subjectOf({ id: applicationId })),
    lockApplication(tx, { tenantId, id: applicationId }),
  ]);
  // A reset has removed the application in the meantime.
  if (application === null) return null;
  const invalidated = rows.length === 0 ? null : await reviewAgain({ tx, now, timeIn: () => sandboxNow }, application);
  return {
    invalidated,
    expiresOn,
    requirements: changedRequirements(application, before, after, today),
    documents: rows.map((row) => ({ documentId: row.id, expiredOn: row.expiresOn })),
  };
}

function changedRequirements(
  application: ApplicationRecord,
  contents: Contents,
  after: readonly Document[],
  today: string,
): Requirement[] {
  const items = (documents: readonly Document[]) =>
    requirementsOf(assessedOf(application, { ...contents, documents }, today)).items;
  const known = items(contents.documents);
  return items(after).filter(({ status }, index) => status !== known[index]?.status);
}

/** Lists the documents of the sandbox that expired because its clock was moved. */
export async function documentsExpiredBetween(
  tx: Transaction,
  from: BusinessTime,
  to: BusinessTime,
): Promise<Expired[]> {
  const rows = await tx.run(findExpiring, { tenantId: tx.tenantId!, from: calendarDate(from), to: calendarDate(to) });
  return rows.map(({ id, expiresOn }) => ({ documentId: id, expiredOn: expiresOn }));
}
