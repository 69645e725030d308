/**
 * The two texts of a report that a tenant lays out in its settings: the first narrative, and the file for submission.
 */
import { csvLine } from '../../base/csv.ts';
import { readBusinessTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import { fillTemplate } from '../../rules/template.ts';
import { NARRATIVE_VOCABULARY, SUBMISSION_VOCABULARY } from '../tenant-settings/index.ts';
import type { ReportContent, ReportRecord } from './store.ts';

type Schemas = components['schemas'];
type Settings = Schemas['ReportSettings'];
type Facts = Pick<ReportRecord, 'id' | 'kind' | 'year' | 'selectedAt' | 'decidedAt'>;

/** A document with its bytes. */
interface Attached extends Pick<Schemas['ReportDocument'], 'fileName' | 'mimeType' | 'sha256'> {
  readonly bytes: Buffer;
}

/** Returns the narrative with which a report begins. */
export function firstNarrative({ narrativeTemplate }: Settings, facts: Facts, content: ReportContent): string {
  const values = valuesOf(facts, content);
  return fillTemplate(narrativeTemplate, NARRATIVE_VOCABULARY, { values, lists: {} }, (value) => value);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Format of the file for submission: its media type and how a value stands in it. */
const FORMATS = {
  xml: {
    type: 'application/xml',
    extension: 'xml',
    escape: (value: string) => value.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign]!),
  },
  csv: { type: 'text/csv', extension: 'csv', escape: (value: string) => csvLine([value]).trimEnd() },
  text: { type: 'text/plain', extension: 'txt', escape: (value: string) => value },
} as const;

/** Returns the file for submission, with its media type and its name. */
export function submissionFile(
  { submissionTemplate, submissionFormat }: Settings,
  report: Facts & { readonly content: ReportContent },
  documents: readonly Attached[],
): { readonly type: (typeof FORMATS)[keyof typeof FORMATS]['type']; readonly fileName: string; readonly data: Buffer } {
  const { type, extension, escape } = FORMATS[submissionFormat];
  const { content } = report;
  const values = {
    ...valuesOf(report, content),
    'report.id': report.id,
    'report.year': report.year === null ? '' : String(report.year),
    'report.decidedOn': report.decidedAt === null ? '' : calendarDate(readBusinessTime(report.decidedAt)),
    'report.legalBasis': content.legalBasis.join(', '),
    'report.narrative': content.narrative ?? '',
  };
  const lists = {
    parties: content.parties.map(({ name, taxId, role }) => ({
      'party.name': name,
      'party.taxId': taxId ?? '',
      'party.role': role,
    })),
    documents: documents.map(({ fileName, mimeType, sha256, bytes }) => ({
      'document.fileName': fileName,
      'document.mediaType': mimeType,
      'document.sha256': sha256,
      'document.base64': bytes.toString('base64'),
    })),
  };
  const text = fillTemplate(submissionTemplate, SUBMISSION_VOCABULARY, { values, lists }, escape);
  return { type, fileName: `report-${report.id}.${extension}`, data: Buffer.from(text) };
}

function valuesOf({ kind, selectedAt }: Facts, { caseCopy, operationOn, amount }: ReportContent) {
  return {
    'case.number': caseCopy?.number ?? '',
    'case.type': caseCopy?.type ?? '',
    'case.openedOn': caseCopy?.openedOn ?? '',
    'case.reason': caseCopy?.reason ?? '',
    'subject.name': caseCopy?.subjectName ?? '',
    'subject.taxId': caseCopy?.subjectTaxId ?? '',
    'subject.dateOfBirth': caseCopy?.subjectDateOfBirth ?? '',
    'operation.on': operationOn ?? '',
    'operation.amount': amount === null ? '' : decimalOf(amount),
    'report.kind': kind,
    'report.selectedOn': selectedAt === null ? '' : calendarDate(readBusinessTime(selectedAt)),
  };
}

/** Returns an amount as a decimal with the digits of its currency. */
function decimalOf({ amount, currency }: Schemas['Money']): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  if (digits === 0) return `${amount} ${currency}`;
  const padded = String(amount).padStart(digits + 1, '0');
  return `${padded.slice(0, -digits)}.${padded.slice(-digits)} ${currency}`;
}
