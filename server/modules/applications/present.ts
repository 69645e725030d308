import type { AnyPrincipal } from '../../contract/operation.ts';
import { type BusinessClocks, calendarDate } from '../../rules/brazilian-calendar.ts';
import { evidenceDigest } from '../../rules/evidence.ts';
import { HIDDEN, shown } from '../../rules/mask.ts';
import type { Application, ApplicationRecord } from './application.ts';
import { wireOf } from './attestation-store.ts';
import type { Decision } from './decision-store.ts';
import { PEP_DECLARED } from './decisions.ts';
import { type HeldEvidence, manifestOf } from './evidence.ts';
import type { InformationRequest } from './information-store.ts';
import { assessedOf, attestedPerson, type Basis, requirementsOf } from './requirements.ts';
import { screenedApplicant } from './screening-store.ts';
import { type Claim, IDENTITY_CONFLICT, signalsOf } from './signals.ts';

interface Reader extends BusinessClocks {
  readonly principal: AnyPrincipal;
}

/** What belongs to an application: the evidence, and what was decided on it. */
export interface Contents extends HeldEvidence {
  readonly decisions: readonly Decision[];
  /** What others have submitted under the same tax number. */
  readonly others: readonly Claim[];
}

/** One application as its reader may see it, with what belongs to it, newest first. */
export function present(record: ApplicationRecord, contents: Contents, reader: Reader): Application {
  const { documents, consents, waivers, attestations, decisions, informationRequests } = contents;
  return shown('Application', {
    ...asListed(record, contents, reader),
    evidenceDigest: evidenceDigest(manifestOf(record, contents)),
    // Who sees no date of birth could find one out by trying.
    ...(reader.principal.personalData === 'full' && { signals: signalsOf(record, contents) }),
    decisions: decisions.map((decision) => presentDecision(decision, reader)),
    informationRequests: informationRequests.map((request) => presentInformationRequest(request, reader)),
    documents: [...documents], consents: [...consents], waivers: [...waivers], attestations: attestations.map(wireOf),
  }, reader);
}

/** Items of lists carry nothing that belongs to the application, and no digest, but what is computed from it. */
export function presentInList(record: ApplicationRecord, basis: Basis, reader: Reader): Application {
  return shown('Application', asListed(record, basis, reader), reader);
}

/** An application before it is masked. */
function asListed(record: ApplicationRecord, basis: Basis, reader: Reader): Application {
  const { environment, applicant } = record;
  const isMasked = reader.principal.personalData === 'masked';
  return {
    ...record,
    personalDataMasked: isMasked,
    requirements: requirementsOf(assessedOf(record, isMasked ? ofSamePerson(basis, applicant) : basis, calendarDate(reader.timeIn(environment)))),
  };
}

/**
 * Hides from a reader who sees persons masked whether somebody was screened or looked up as who they are said to be now: a caller who may write
 * could overwrite what they do not see, and read from the requirements when a guess agrees.
 */
function ofSamePerson(basis: Basis, applicant: ApplicationRecord['applicant']): Basis {
  const { screening, attestations } = basis;
  const subject = attestedPerson(applicant);
  return {
    ...basis,
    screening: screening === null ? null : { ...screening, subject: screenedApplicant(applicant) },
    attestations: attestations.map((attestation) => ({ ...attestation, subject })),
  };
}

/** Reasons that tell of the person: what was declared, and that another date of birth was given. */
const TOLD_OF_THE_PERSON: readonly string[] = [PEP_DECLARED, IDENTITY_CONFLICT];

export function presentDecision(decision: Decision, reader: Pick<Reader, 'principal'>): NonNullable<Application['decisions']>[number] {
  const isMasked = reader.principal.personalData === 'masked';
  return shown('Decision', { ...decision, fourEyesReasons: decision.fourEyesReasons.filter((reason) => !isMasked || !TOLD_OF_THE_PERSON.includes(reason)) }, reader);
}

/** What people note for each other is for people: a program passes on what it reads. */
export function presentInformationRequest(request: InformationRequest, reader: Pick<Reader, 'principal'>): InformationRequest {
  const { internalNote } = request;
  return shown('InformationRequest', { ...request, internalNote: reader.principal.kind === 'user' ? internalNote : internalNote && HIDDEN }, reader);
}
