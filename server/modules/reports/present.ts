/** A report as its readers see it, alone and in a list. */
import type { BusinessTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { isLate } from './schedule.ts';
import type { ReportRecord } from './store.ts';

type Schemas = components['schemas'];

/** Presents a report in a list, without its texts, parties, documents and copy of the case. */
export function presentInList(
  { key: _key, wasLate, content, ...row }: ReportRecord,
  at: BusinessTime,
): Schemas['Report'] {
  const { operationOn, amount, legalBasis, protocol } = content;
  return {
    ...row,
    operationOn,
    amount,
    legalBasis: [...legalBasis],
    protocol,
    late: isLate({ wasLate, dueAt: row.dueAt }, at),
  };
}

/** Presents a report with everything in it. */
export function present(
  record: ReportRecord,
  documents: readonly Schemas['ReportDocument'][],
  at: BusinessTime,
): Schemas['Report'] {
  const { narrative, decisionNote, parties, caseCopy } = record.content;
  return {
    ...presentInList(record, at),
    narrative,
    decisionNote,
    parties: [...parties],
    caseCopy,
    documents: [...documents],
  };
}
