import type { AnyPrincipal } from '../../contract/operation.ts';
import { type BusinessClocks, calendarDate } from '../../rules/brazilian-calendar.ts';
import { evidenceDigest } from '../../rules/evidence.ts';
import type { Document } from '../documents/index.ts';
import type { Applicant, Application, ApplicationRecord, Evidence } from './application.ts';
import type { Consent } from './consent-store.ts';
import type { Decision } from './decision-store.ts';
import { PEP_DECLARED } from './decisions.ts';
import { type HeldEvidence, manifestOf } from './evidence.ts';
import type { InformationRequest } from './information-store.ts';
import { requirementsOf } from './requirements.ts';

const HIDDEN = '***';

/** The initials of a name. */
export function maskName(fullName: string): string {
  return fullName.split(' ').map((word) => `${[...word][0] ?? ''}${HIDDEN}`).join(' ').slice(0, 200);
}

/** Enough to tell two records apart, not enough to know the person. */
export function maskApplicant(applicant: Applicant): Applicant {
  const { taxId, address } = applicant;
  return {
    fullName: maskName(applicant.fullName),
    socialName: null,
    motherName: null,
    dateOfBirth: null,
    nationality: applicant.nationality,
    countryOfBirth: null,
    taxId: taxId === null ? null : { ...taxId, value: maskTaxNumber(taxId.value) },
    email: null,
    phone: null,
    address: address === null ? null : {
      line1: HIDDEN, number: null, line2: null, district: null, city: HIDDEN, state: address.state, postalCode: null, country: address.country,
    },
    occupation: null,
    monthlyIncome: null,
    sourceOfFunds: applicant.sourceOfFunds,
    pepDeclaration: null,
    taxResidencies: [],
    residentAbroad: applicant.residentAbroad,
  };
}

/** File names carry the names of people. */
export function maskDocument(document: Document): Document {
  const extension = /\.[a-z0-9]{1,5}$/i.exec(document.fileName)?.[0] ?? '';
  return { ...document, fileName: `document${extension}` };
}

/** From where and with what somebody consented leads to the person. */
export function maskConsent(consent: Consent): Consent {
  return { ...consent, ip: null, userAgent: null };
}

/** What was written about a case is about a person, and so is what they have declared. */
export function maskDecision(decision: Decision): Decision {
  const hidden = (text: string | null): string | null => text && HIDDEN;
  return {
    ...decision, note: HIDDEN, applicantMessage: hidden(decision.applicantMessage), reviewNote: hidden(decision.reviewNote),
    fourEyesReasons: decision.fourEyesReasons.filter((reason) => reason !== PEP_DECLARED),
  };
}

/** As Brazilian registers publish a CPF: the first three and the last two characters hidden. */
function maskTaxNumber(value: string): string {
  return value.length < 8 ? HIDDEN : `${HIDDEN}${value.slice(3, -2)}**`;
}

interface Reader extends BusinessClocks {
  readonly principal: AnyPrincipal;
}

/** What belongs to an application: the evidence, and what was decided on it. */
export interface Contents extends HeldEvidence {
  readonly decisions: readonly Decision[];
}

/** One application as its reader may see it, with what belongs to it, newest first. The digest is of the evidence itself, masked for nobody. */
export function present(record: ApplicationRecord, contents: Contents, reader: Reader): Application {
  const { documents, consents, decisions, informationRequests } = contents;
  return {
    ...presentInList(record, documents, reader),
    evidenceDigest: evidenceDigest(manifestOf(record, contents)),
    decisions: decisions.map((decision) => presentDecision(decision, reader)),
    informationRequests: informationRequests.map((request) => presentInformationRequest(request, reader)),
    documents: documents.map((document) => presentDocument(document, reader)), consents: consents.map((consent) => presentConsent(consent, reader)),
  };
}

/** Items of lists carry no documents, consents, information requests and decisions and no digest, but what the documents prove. */
export function presentInList(record: ApplicationRecord, evidence: readonly Evidence[], { principal, timeIn }: Reader): Application {
  const personalDataMasked = principal.personalData === 'masked';
  return {
    ...record,
    statusNote: personalDataMasked && record.statusNote !== null ? HIDDEN : record.statusNote,
    applicant: personalDataMasked ? maskApplicant(record.applicant) : record.applicant,
    personalDataMasked,
    requirements: requirementsOf({ level: record.level, applicant: record.applicant, evidence, today: calendarDate(timeIn(record.environment)) }),
  };
}

export function presentDocument(document: Document, { principal }: Pick<Reader, 'principal'>): Document {
  return principal.personalData === 'masked' ? maskDocument(document) : document;
}

export function presentConsent(consent: Consent, { principal }: Pick<Reader, 'principal'>): Consent {
  return principal.personalData === 'masked' ? maskConsent(consent) : consent;
}

export function presentDecision(decision: Decision, { principal }: Pick<Reader, 'principal'>): Decision {
  return principal.personalData === 'masked' ? maskDecision(decision) : decision;
}

/** What people note for each other is for people: a program passes on what it reads. */
export function presentInformationRequest(request: InformationRequest, { principal }: Pick<Reader, 'principal'>): InformationRequest {
  const masked = principal.personalData === 'masked';
  return {
    ...request,
    items: masked ? request.items.map((item) => ({ ...item, messageToApplicant: HIDDEN })) : request.items,
    internalNote: request.internalNote !== null && (masked || principal.kind !== 'user') ? HIDDEN : request.internalNote,
  };
}
