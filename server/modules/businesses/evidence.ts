/**
 * Adds to the evidence of a business: documents, requests for information, attestations and waivers. Called by the
 * handlers; the ledgers are in the module decisions. Locks the business, and returns one whose decision waits for a
 * second person to review.
 */
import type { RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { UploadedFile } from '../../contract/operation-types.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { FileKey, FileStorage } from '../../providers/files/index.ts';
import type { Quotas } from '../applications/index.ts';
import {
  answeredByDocument,
  assertNoEvidence,
  assertNoneOpen,
  assertOpen,
  type Attestation,
  findOpenRequest,
  type InformationRequest,
  informationRequested,
  type Invalidated,
  isMet,
  provesAttestation,
  recordAttestation,
  recordWaiver,
  requestInformation,
  type Waiver,
} from '../decisions/index.ts';
import {
  deleteDocument,
  type Document,
  findDocument,
  keepDocument,
  listDocuments,
  sameFile,
  type Verdict,
} from '../documents/index.ts';
import {
  beginChange,
  commitChange,
  type PendingChange,
  type PublishedRequest,
  readForChange,
  type Request,
  reviewAgain,
} from './change-businesses.ts';
import { assessedOf } from './contents.ts';
import { publish } from '../subject-events/index.ts';
import { businessLookups as lookup } from './lookup.ts';
import { assertNotClosed, life, subjectOf } from './record.ts';
import { identityOf, isAttestable, isBinding, requirementsOf, sourcesOf } from './requirements.ts';
import type { Business } from './store.ts';
import { namesDocument } from './structure-store.ts';

type Schemas = components['schemas'];

interface Upload extends Request {
  readonly now: RealTime;
  readonly body: Omit<Schemas['DocumentUpload'], 'file'>;
  readonly files: { readonly file: UploadedFile };
}

/** Adds a document. The same file is stored once per business. */
export async function addDocument(
  ctx: Upload,
  verdict: Verdict,
  { files, quotas }: { readonly files: FileStorage; readonly quotas: Quotas },
): Promise<{ readonly document: Document; readonly isNew: boolean; readonly invalidated: Invalidated | null }> {
  const {
    tx,
    principal,
    files: { file },
  } = ctx;
  const { tenantId } = principal;
  const subject = subjectOf({ id: ctx.params.businessId });
  const [business, documents] = await Promise.all([
    lookup(ctx).business(subject.id).forChange(),
    listDocuments(tx, subject),
  ]);
  const known = sameFile(documents, file);
  if (known !== undefined) return { document: known, isNew: false, invalidated: null };
  const { environment, status } = business;
  // A customer's powers change, and their documents with them.
  assertNotClosed(status);
  const open = status === 'needs_information' ? await findOpenRequest(tx, subject) : null;
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
    answers: open === null ? null : answeredByDocument(open, ctx.body.type, sourcesOf),
    replaces: status !== 'draft',
    assertStorage: (bytes) => quotas.assertStorage(tx, { tenantId, environment }, at, bytes),
  });
  const invalidated = await reviewAgain(ctx, business);
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

/**
 * Removes a document from a draft, unless an attestation, a power or the ownership names it as evidence. The caller
 * deletes the file after the commit.
 */
export async function removeDocument(
  ctx: Request,
  documentId: string,
): Promise<Pick<Document, 'type' | 'sha256'> & { readonly storageKey: FileKey }> {
  const { tx } = ctx;
  const subject = subjectOf({ id: ctx.params.businessId });
  const [business, found, proves, isNamed] = await Promise.all([
    lookup(ctx).business(subject.id).forChange(),
    findDocument(tx, subject, documentId),
    provesAttestation(tx, { tenantId: tx.tenantId!, documentId }),
    namesDocument(tx, subject.id, documentId),
  ]);
  if (found === null) throw new Problem('not_found');
  assertNoEvidence(business.status);
  if (proves || isNamed) throw new Problem('document_is_evidence');
  deleteDocument(tx, subject, documentId, ctx.timeIn(business.environment));
  return { type: found.document.type, sha256: found.document.sha256, storageKey: found.storageKey };
}

/** Asks a business for information. It then waits for the answer. */
export async function askForInformation(
  ctx: PublishedRequest,
  input: Schemas['InformationRequestCreate'],
): Promise<{ readonly request: InformationRequest; readonly business: Business }> {
  const begun = await beginChange(ctx);
  const { before, contents, now } = begun;
  const { rules } = contents.policy;
  assertNoneOpen(contents.informationRequests);
  life.assertTransition('ask', before.status);
  if (before.resubmissionCount >= rules.resubmissionLimit) throw new Problem('resubmission_limit');
  const { items } = requirementsOf(assessedOf(before, contents, ctx));
  const request = await requestInformation(
    ctx.tx,
    ctx.principal,
    {
      ...ledgerOf(begun),
      requirements: items.filter(({ kind }) => kind === 'provided'),
      dueDays: rules.informationDueDays,
    },
    input,
  );
  const business = await commitChange(ctx, { before, now }, informationRequested(before, request));
  await publish(ctx.tx, {
    type: 'information.requested',
    subject: subjectOf(business),
    environment: business.environment,
    requestId: request.id,
    at: now,
    now: ctx.now,
  });
  return { request, business };
}

const ledgerOf = ({ before, now }: PendingChange) =>
  ({ subject: subjectOf(before), environment: before.environment, now }) as const;

/** Locks a business that takes new evidence. */
async function beginRecord(ctx: Request): Promise<PendingChange> {
  const begun = await readForChange(ctx);
  assertOpen(begun.before.status, 'business_closed');
  return begun;
}

export async function attestRequirement(
  ctx: Request,
  input: Schemas['AttestationCreate'],
): Promise<{ readonly attestation: Attestation; readonly invalidated: Invalidated | null }> {
  const begun = await beginRecord(ctx);
  const { before, contents } = begun;
  const about = {
    ...ledgerOf(begun),
    ledger: contents.attestations,
    documents: contents.documents,
    identity: identityOf(before),
    isAttestable,
  };
  const attestation = await recordAttestation(ctx.tx, ctx.principal, about, input);
  return { attestation, invalidated: await reviewAgain(ctx, before) };
}

export async function waiveRequirement(
  ctx: Request,
  input: Schemas['WaiverCreate'],
): Promise<{ readonly waiver: Waiver; readonly invalidated: Invalidated | null }> {
  const begun = await beginRecord(ctx);
  const { before, contents } = begun;
  const assessed = assessedOf(before, contents, ctx);
  const { items } = requirementsOf(assessed);
  const about = {
    ...ledgerOf(begun),
    ledger: contents.waivers,
    requirementOf: (wanted: string) => {
      const requirement = items.find(({ key }) => key === wanted);
      const unwaivable = isBinding(assessed, wanted) ? 'an attestation speaks against' : null;
      return requirement === undefined ? null : { isMet: isMet(requirement), unwaivable };
    },
  };
  const waiver = await recordWaiver(ctx.tx, ctx.principal, about, input);
  return { waiver, invalidated: await reviewAgain(ctx, before) };
}
