/** The table of applications. Used by applications-page.tsx. */
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useRecordFormat } from '../../../core/business-clock.ts';
import { inLanguages, useWords } from '../../../core/language.ts';
import { Badge } from '../../../ui/badge.tsx';
import { columnsOf, DataTable } from '../../../ui/table.tsx';
import { LevelBadge } from '../../risk/level-badge.tsx';
import { isMet } from '../requirements.tsx';
import { type Application, TONES, useNames } from '../words.ts';

const words = inLanguages({
  en: {
    caption: 'Applications',
    applicant: 'Applicant',
    status: 'Status',
    missing: 'Requirements',
    level: 'Level',
    risk: 'Risk',
    created: 'Created',
    changed: 'Last change',
    met: 'All met',
    open: (missing: number, all: number) => `${missing} of ${all} missing`,
  },
  pt: {
    caption: 'Solicitações',
    applicant: 'Requerente',
    status: 'Situação',
    missing: 'Requisitos',
    level: 'Nível',
    risk: 'Risco',
    created: 'Criada',
    changed: 'Última mudança',
    met: 'Todos atendidos',
    open: (missing: number, all: number) => (missing === 1 ? `Falta 1 de ${all}` : `Faltam ${missing} de ${all}`),
  },
});

const idOf = ({ id }: Application): string => id;

export function ListTable({ rows }: { readonly rows: readonly Application[] }) {
  const t = useWords(words);
  const names = useNames();
  const format = useRecordFormat();
  const columns = useMemo(() => {
    const column = columnsOf<Application>();
    return [
      column.display({
        id: 'applicant',
        header: t.applicant,
        cell: ({ row: { original: application } }) => <Who application={application} />,
      }),
      column.display({
        id: 'status',
        header: t.status,
        cell: ({
          row: {
            original: { status },
          },
        }) => <Badge tone={TONES[status]}>{names.statuses[status]}</Badge>,
      }),
      column.display({
        id: 'missing',
        header: t.missing,
        cell: ({
          row: {
            original: {
              requirements: { items },
            },
          },
        }) => {
          const open = items.filter((item) => !isMet(item)).length;
          return open === 0 ? <span className="muted">{t.met}</span> : t.open(open, items.length);
        },
      }),
      column.display({
        id: 'level',
        header: t.level,
        cell: ({
          row: {
            original: { level },
          },
        }) => names.levels[level],
      }),
      column.display({
        id: 'risk',
        header: t.risk,
        cell: ({
          row: {
            original: { riskLevel },
          },
        }) => (riskLevel === null ? '–' : <LevelBadge level={riskLevel} />),
      }),
      column.display({
        id: 'created',
        header: t.created,
        cell: ({
          row: {
            original: { createdAt },
          },
        }) => <time dateTime={createdAt}>{format.dateTime(createdAt)}</time>,
      }),
      column.display({
        id: 'changed',
        header: t.changed,
        cell: ({
          row: {
            original: { updatedAt },
          },
        }) => (
          <time dateTime={updatedAt} title={format.dateTime(updatedAt)}>
            {format.relative(updatedAt)}
          </time>
        ),
      }),
    ];
  }, [t, names, format]);
  return <DataTable caption={t.caption} rows={rows} columns={columns} rowId={idOf} />;
}

function Who({
  application: {
    id,
    applicant: { fullName },
    externalId,
  },
}: {
  readonly application: Application;
}) {
  return (
    <span className="who">
      <Link to="/applications/$applicationId" params={{ applicationId: id }} preload={false}>
        {fullName}
      </Link>
      {externalId !== null && <span className="muted">{externalId}</span>}
    </span>
  );
}
