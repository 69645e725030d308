/**
 * The application or the business that a case is about: locks it, reads its evidence and decides about it. Used by the
 * work on cases, their resolutions and the reviews of these, which treat both alike. Whoever also locks the case locks
 * its subject first.
 */
import type { UserPrincipal } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context } from '../../request/handler.ts';
import type { Access } from '../../request/lookup.ts';
import type { BlindIndex } from '../../rules/blind-index.ts';
import { type EvidenceManifest, evidenceDigest as digestOf } from '../../rules/evidence.ts';
import { type Subject, subjectNamedBy } from '../../rules/subject.ts';
import * as applications from '../applications/index.ts';
import * as businesses from '../businesses/index.ts';
import type { Decision } from '../decisions/index.ts';
import type { DecisionPolicy } from '../tenant-settings/index.ts';
import { lookup } from './lookup.ts';
import type { CaseRecord } from './store.ts';

/** An application or a business as it was read. */
export type CaseSubject =
  | { readonly kind: 'application'; readonly record: applications.ApplicationRecord }
  | { readonly kind: 'business'; readonly record: businesses.Business };

/** What a resolution needs to know of the subject. */
export interface SubjectFile {
  /** Digest of the evidence about the subject. */
  readonly digest: string;
  readonly policy: DecisionPolicy;
  readonly decisions: readonly Pick<Decision, 'id' | 'status'>[];
  /** Number of open hits of the newest screening. A business is not screened itself. */
  readonly openHits: number;
}

/** Locks the subject that a case, or a request to open one, names. */
export async function lockSubject(ctx: Access, { kind, id }: Subject): Promise<CaseSubject> {
  return kind === 'application'
    ? { kind, record: await lookup(ctx).application(id).forChange() }
    : { kind, record: await lookup(ctx).business(id).forChange() };
}

/** Finds the subject of a case that is read. */
export async function findSubject(tx: Transaction, record: CaseRecord): Promise<CaseSubject> {
  const { kind, id } = subjectNamedBy(record);
  const found =
    kind === 'application'
      ? await applications.findApplication(tx, { tenantId: tx.tenantId!, id })
      : await businesses.findBusiness(tx, id);
  if (found === null) throw new Error(`The subject of the case ${record.id} is gone`);
  return { kind, record: found } as CaseSubject;
}

/** Reads the evidence about the subject, as of when the statements run. */
export async function readSubject(tx: Transaction, subject: CaseSubject): Promise<SubjectFile> {
  if (subject.kind === 'business') {
    const contents = await businesses.readContents(tx, subject.record.id);
    return fileOf(businesses.manifestOf(subject.record, contents), contents, 0);
  }
  const contents = await applications.readContents(tx, { tenantId: tx.tenantId!, applicationId: subject.record.id });
  return fileOf(applications.manifestOf(subject.record, contents), contents, contents.screening?.openHitCount ?? 0);
}

function fileOf(
  manifest: EvidenceManifest,
  { policy, decisions }: Pick<SubjectFile, 'policy' | 'decisions'>,
  openHits: number,
): SubjectFile {
  return {
    digest: digestOf(manifest),
    policy,
    decisions,
    openHits,
  };
}

type Deciding = Context<'resolveCase'> | Context<'reviewCaseResolution'>;

/** Returns the request of a change of the subject. `If-Match` names the version of the case only. */
function requestAbout(ctx: Deciding) {
  const { tx, visible, sandboxEnabled, setResourceEnvironment, principal, lookups, now, timeIn } = ctx;
  return {
    tx,
    visible,
    sandboxEnabled,
    setResourceEnvironment,
    principal,
    lookups,
    now,
    timeIn,
    headers: {},
  };
}

/** Decides about the subject, or proposes the decision for a second review, and audits it. */
export async function decide(
  ctx: Context<'resolveCase'>,
  index: BlindIndex,
  { kind, record: { id } }: CaseSubject,
  {
    input,
    moreReasons,
  }: {
    readonly input: NonNullable<Context<'resolveCase'>['body']['decision']>;
    readonly moreReasons: readonly string[];
  },
): Promise<Decision> {
  if (kind === 'application') {
    const request = { ...requestAbout(ctx), params: { applicationId: id } };
    const decided = await applications.decideApplication(request, index, input, moreReasons);
    applications.auditDecided(ctx.audit, decided);
    return decided.decision;
  }
  const request = { ...requestAbout(ctx), params: { businessId: id } };
  const decided = await businesses.decideBusiness(request, input, moreReasons);
  businesses.auditDecided(ctx.audit, decided.decision, decided.business);
  return decided.decision;
}

interface Verdict {
  readonly decisionId: string;
  readonly verdict: 'confirm' | 'return';
  readonly note: string;
  readonly evidenceDigest: string;
}

/** Ends a decision that waits by the verdict of the second person, and audits it. Throws if it is stale. */
export async function reviewDecision(
  ctx: Context<'reviewCaseResolution'> & { readonly principal: UserPrincipal },
  index: BlindIndex,
  { kind, record: { id } }: CaseSubject,
  { decisionId, ...verdict }: Verdict,
): Promise<void> {
  const { principal } = ctx;
  if (kind === 'application') {
    const request = { ...requestAbout(ctx), principal, params: { applicationId: id, decisionId } };
    const reviewed = await applications.reviewDecisionOfApplication(request, index, verdict);
    if (reviewed.outcome === 'stale') throw reviewed.refusal;
    applications.auditReviewed(ctx.audit, reviewed, reviewed.outcome);
    return;
  }
  const request = { ...requestAbout(ctx), principal, params: { businessId: id, decisionId } };
  const reviewed = await businesses.reviewDecisionOfBusiness(request, verdict);
  if (reviewed.outcome === 'stale') throw reviewed.refusal;
  businesses.auditReviewed(ctx.audit, reviewed.decision, reviewed.business, reviewed.outcome);
}

/** Returns a subject whose decision waits to review, and audits that. */
export async function returnToReview(ctx: Context<'reviewCaseResolution'>, subject: CaseSubject): Promise<void> {
  if (subject.kind === 'application') {
    const decision = await applications.reviewAgain(ctx, subject.record);
    if (decision !== null) applications.auditInvalidated(ctx.audit, decision, subject.record.id);
    return;
  }
  const decision = await businesses.reviewAgain(ctx, subject.record);
  if (decision !== null) businesses.auditInvalidated(ctx.audit, decision, subject.record.id);
}
