import type { AnyPrincipal } from '../../contract/principal.ts';
import type { Application, ApplicationRecord, Document, Evidence } from './application.ts';
import { calendarDate, type Clocks } from './calendar.ts';
import { maskApplicant, maskDocument } from './masking.ts';
import { requirementsOf } from './requirements.ts';

export interface Reader extends Clocks {
  readonly principal: AnyPrincipal;
}

/** One application as its reader may see it, with its documents. */
export function present(record: ApplicationRecord, documents: readonly Document[], reader: Reader): Application {
  return { ...presentInList(record, documents, reader), documents: documents.map((document) => presentDocument(document, reader)) };
}

/** Items of lists carry no documents, but what these prove. */
export function presentInList({ statusNote, ...record }: ApplicationRecord, evidence: readonly Evidence[], { principal, timeIn }: Reader): Application {
  const personalDataMasked = principal.personalData === 'masked';
  return {
    ...record,
    applicant: personalDataMasked ? maskApplicant(record.applicant) : record.applicant,
    personalDataMasked,
    requirements: requirementsOf({ level: record.level, applicant: record.applicant, evidence, today: calendarDate(timeIn(record.environment)) }),
  };
}

export function presentDocument(document: Document, { principal }: Pick<Reader, 'principal'>): Document {
  return principal.personalData === 'masked' ? maskDocument(document) : document;
}
