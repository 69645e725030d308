/** The table of reports, of all or of one case. */
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useRecordFormat } from '../../core/business-clock.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { type Report, REPORT_TONES, useReportNames } from './report-words.ts';

const words = inLanguages({
  en: {
    caption: 'Reports',
    kind: 'Report',
    status: 'Status',
    due: 'Next deadline',
    none: 'None',
    about: 'About',
    reviewCase: 'Case',
    begun: 'Begun',
  },
  pt: {
    caption: 'Comunicações',
    kind: 'Comunicação',
    status: 'Situação',
    due: 'Próximo prazo',
    none: 'Nenhum',
    about: 'Sobre',
    reviewCase: 'Caso',
    begun: 'Iniciada',
  },
});

export function ReportTable({ rows }: { readonly rows: readonly Report[] }) {
  const t = useWords(words);
  const names = useReportNames();
  const format = useRecordFormat();
  const columns = useMemo(() => {
    const column = columnsOf<Report>();
    return [
      column.display({
        id: 'kind',
        header: t.kind,
        cell: ({ row: { original } }) => (
          <Link to="/cases/reports/$reportId" params={{ reportId: original.id }}>
            {names.kinds[original.kind]}
          </Link>
        ),
      }),
      column.display({
        id: 'status',
        header: t.status,
        cell: ({ row: { original } }) => (
          <Badge tone={REPORT_TONES[original.status]}>{names.statuses[original.status]}</Badge>
        ),
      }),
      column.display({
        id: 'due',
        header: t.due,
        cell: ({ row: { original } }) => (
          <span className="row">
            {original.dueAt === null ? (
              t.none
            ) : (
              <time dateTime={original.dueAt}>{format.dateTime(original.dueAt)}</time>
            )}
            {original.late && <Badge tone="danger">{names.late}</Badge>}
          </span>
        ),
      }),
      column.display({
        id: 'about',
        header: t.about,
        cell: ({ row: { original } }) =>
          original.caseId === null ? (
            original.year
          ) : (
            <Link to="/cases/$caseId" params={{ caseId: original.caseId }}>
              {t.reviewCase}
            </Link>
          ),
      }),
      column.display({
        id: 'begun',
        header: t.begun,
        cell: ({ row: { original } }) => (
          <time dateTime={original.createdAt} title={format.dateTime(original.createdAt)}>
            {format.relative(original.createdAt)}
          </time>
        ),
      }),
    ];
  }, [t, names, format]);
  return <DataTable caption={t.caption} rows={rows} columns={columns} rowId={({ id }) => id} />;
}
