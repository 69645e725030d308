/** Names of what a report to the authority can be, for all pages that show reports, and its queries. */
import { useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import type { Tone } from '../../ui/badge.tsx';

export type Report = Schemas['Report'];

interface ReportNames {
  readonly kinds: Readonly<Record<Report['kind'], string>>;
  readonly statuses: Readonly<Record<Report['status'], string>>;
  readonly late: string;
}

const names = inLanguages<ReportNames>({
  en: {
    kinds: {
      suspicious_operation: 'Suspicious operation',
      cash_operation: 'Operation in cash',
      non_occurrence: 'Nothing occurred',
    },
    statuses: {
      draft: 'Draft',
      decided_report: 'To be filed',
      decided_no_report: 'Decided not to report',
      filed: 'Filed',
    },
    late: 'late',
  },
  pt: {
    kinds: {
      suspicious_operation: 'Operação suspeita',
      cash_operation: 'Operação em espécie',
      non_occurrence: 'Não ocorrência',
    },
    statuses: {
      draft: 'Rascunho',
      decided_report: 'A enviar',
      decided_no_report: 'Decidido não comunicar',
      filed: 'Enviada',
    },
    late: 'atrasada',
  },
});

export function useReportNames(): ReportNames {
  return useWords(names);
}

export const REPORT_TONES: Readonly<Record<Report['status'], Tone>> = {
  draft: 'info',
  decided_report: 'warning',
  decided_no_report: 'neutral',
  filed: 'good',
};

/** Whether the members of the report can still change. */
export function isOpen({ status }: Pick<Report, 'status'>): boolean {
  return status === 'draft' || status === 'decided_report';
}

/** Returns the title of a report: its kind, and the year or the case that it is about. */
export function useReportTitle(): (report: Report) => string {
  const { kinds } = useReportNames();
  return ({ kind, year, caseCopy }) => [kinds[kind], year ?? caseCopy?.number ?? null].filter(Boolean).join(' · ');
}

export function reportQuery(reportId: string) {
  return api.queryOptions('get', '/v1/cases/reports/{reportId}', { params: { path: { reportId } } });
}

/** Returns a function that shows the answer to a change, and marks the lists of reports as out of date. */
export function useReportChanged(): (report: Report) => void {
  const queries = useQueryClient();
  return (report) => {
    queries.setQueryData(reportQuery(report.id).queryKey, report);
    void queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/cases/reports').queryKey });
  };
}

/** Returns the precondition of a change: the version that was shown. */
export function matching({ version }: Pick<Report, 'version'>): { readonly 'If-Match': string } {
  return { 'If-Match': `"${version}"` };
}
