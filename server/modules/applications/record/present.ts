/**
 * Presents an application to its reader, with requirements and evidence, masked as the reader's rights demand. Used by
 * every handler that returns an application. What bypasses this file shows personal data to callers who must not see
 * it, or lets them find it out by trying.
 */
import type { AnyPrincipal } from '../../../contract/operation.ts';
import { type BusinessClocks, calendarDate } from '../../../rules/brazilian-calendar.ts';
import { evidenceDigest } from '../../../rules/evidence.ts';
import { shown } from '../../../rules/mask.ts';
import {
  type Decision,
  presentDecision as presentRecordedDecision,
  presentInformationRequest,
  wireOf,
} from '../../decisions/index.ts';
import { PEP_DECLARED } from '../decisions/decisions.ts';
import { type Claim, IDENTITY_CONFLICT, signalsOf } from '../decisions/signals.ts';
import { type HeldEvidence, manifestOf } from '../evidence/evidence.ts';
import { attestedPerson } from '../evidence/attested.ts';
import { assessedOf, type Basis } from '../evidence/requirement-rules.ts';
import { requirementsOf } from '../evidence/requirements.ts';
import { presentRisk } from '../evidence/risk-store.ts';
import { screenedApplicant } from '../evidence/screening-store.ts';
import type { Application, ApplicationRecord } from './application.ts';

interface Reader extends BusinessClocks {
  readonly principal: AnyPrincipal;
}

/** What belongs to an application: its evidence and its decisions. */
export interface Contents extends HeldEvidence {
  readonly decisions: readonly Decision[];
  /** Tax numbers and dates of birth in other submitted applications under the same tax number. */
  readonly others: readonly Claim[];
}

/** Presents an application as its reader may see it, with what belongs to it, newest first. */
export function present(record: ApplicationRecord, contents: Contents, reader: Reader): Application {
  const { documents, consents, waivers, attestations, decisions, informationRequests } = contents;
  return shown(
    'Application',
    {
      ...asListed(record, contents, reader),
      evidenceDigest: evidenceDigest(manifestOf(record, contents)),
      // Hidden from masked readers, who could find out a date of birth by trying dates until the conflict disappears.
      ...(reader.principal.personalData === 'full' && { signals: signalsOf(record, contents) }),
      decisions: decisions.map((decision) => presentDecision(decision, reader)),
      informationRequests: informationRequests.map((request) => presentInformationRequest(request, reader)),
      documents: [...documents],
      consents: [...consents],
      waivers: [...waivers],
      attestations: attestations.map(wireOf),
    },
    reader,
  );
}

/** Presents an item of a list: without the records that belong to the application and without a digest of them. */
export function presentInList(record: ApplicationRecord, basis: Basis, reader: Reader): Application {
  return shown('Application', asListed(record, basis, reader), reader);
}

/** Returns an application with its requirements, before masking. */
function asListed(record: ApplicationRecord, basis: Basis, reader: Reader): Application {
  const { environment, applicant } = record;
  const isMasked = reader.principal.personalData === 'masked';
  return {
    ...record,
    ...presentRisk(basis.risk),
    personalDataMasked: isMasked,
    requirements: requirementsOf(
      assessedOf(record, isMasked ? ofSamePerson(basis, applicant) : basis, calendarDate(reader.timeIn(environment))),
    ),
  };
}

/**
 * Hides from a reader who sees persons masked whether screening, attestations and verifications are about the current
 * data of the applicant. Otherwise a caller who may write could overwrite masked members, and read from the
 * requirements when a guess is right.
 */
function ofSamePerson(basis: Basis, applicant: ApplicationRecord['applicant']): Basis {
  const { screening, attestations, verifications } = basis;
  const subject = attestedPerson(applicant);
  return {
    ...basis,
    screening: screening === null ? null : { ...screening, subject: screenedApplicant(applicant) },
    attestations: attestations.map((attestation) => ({ ...attestation, subject })),
    verifications: verifications.map((verification) => ({ ...verification, subject })),
  };
}

/** Reasons that reveal personal data: a declared public office, and a conflicting date of birth. */
const PERSONAL_REASONS: readonly string[] = [PEP_DECLARED, IDENTITY_CONFLICT];

/** Presents a decision about an application. */
export function presentDecision(decision: Decision, reader: Pick<Reader, 'principal'>) {
  return presentRecordedDecision(decision, reader, PERSONAL_REASONS);
}
