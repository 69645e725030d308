/**
 * An application or a company, as the parts see it that the pages of both share: requirements, documents, decisions and
 * the dialogs that change them. The two have the same statuses and the same evidence, and differ in their operations.
 */
import type { Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import type { OperationId } from '../../core/operation-id.ts';
import type { Application } from './words.ts';

export type SubjectKind = 'application' | 'business';

export interface Subject
  extends Pick<
    Application,
    | 'id'
    | 'version'
    | 'status'
    | 'requirements'
    | 'documents'
    | 'waivers'
    | 'attestations'
    | 'decisions'
    | 'informationRequests'
    | 'evidenceDigest'
    | 'signals'
    | 'validUntil'
    | 'relationshipEndedAt'
    | 'personalDataMasked'
  > {
  readonly kind: SubjectKind;
  readonly name: string;
  /** Documents that are the evidence of consents, which nobody deletes. */
  readonly consentDocumentIds: readonly (string | null)[];
}

export function subjectOfApplication(application: Application): Subject {
  const { consents = [] } = application;
  return {
    ...application,
    kind: 'application',
    name: application.applicant.fullName,
    consentDocumentIds: consents.map(({ evidenceDocumentId }) => evidenceDocumentId),
  };
}

export function subjectOfBusiness(business: Schemas['Business']): Subject {
  const { requirements = { met: false, items: [] }, evidenceDigest } = business;
  return {
    ...business,
    kind: 'business',
    name: business.legalName,
    requirements,
    // Only readers who see personal data learn the digest of the evidence.
    personalDataMasked: evidenceDigest === undefined,
    consentDocumentIds: [],
  };
}

/** The operations about an application, and those that do the same about a company. */
const OPERATIONS = {
  application: {
    submit: 'submitApplication',
    withdraw: 'withdrawApplication',
    erase: 'eraseApplication',
    pack: 'downloadEvidencePack',
    end: 'endRelationship',
    ask: 'createInformationRequest',
    decide: 'createDecision',
    review: 'reviewDecision',
    reopen: 'reopenApplication',
    waive: 'recordWaiver',
    attest: 'recordAttestation',
    upload: 'uploadDocument',
    download: 'downloadDocument',
    remove: 'deleteDocument',
  },
  business: {
    submit: 'submitBusiness',
    withdraw: 'withdrawBusiness',
    erase: 'eraseBusiness',
    pack: 'downloadBusinessEvidencePack',
    end: 'endBusinessRelationship',
    ask: 'createBusinessInformationRequest',
    decide: 'createBusinessDecision',
    review: 'reviewBusinessDecision',
    reopen: 'reopenBusiness',
    waive: 'recordBusinessWaiver',
    attest: 'recordBusinessAttestation',
    upload: 'uploadBusinessDocument',
    download: 'downloadBusinessDocument',
    remove: 'deleteBusinessDocument',
  },
} as const satisfies Readonly<Record<SubjectKind, Readonly<Record<string, OperationId>>>>;

type Step = keyof (typeof OPERATIONS)['application'] & keyof (typeof OPERATIONS)['business'];

/** Returns whether the role of the signed-in user may take a step with an application or a company. */
export function useMayWith({ kind }: Pick<Subject, 'kind'>): (step: Step) => boolean {
  const may = useMay();
  return (step) => may(OPERATIONS[kind][step]);
}
