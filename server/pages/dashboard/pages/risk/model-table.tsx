import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Schemas } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { CopyModel } from './copy-model.tsx';
import { STATUS_TONES, useRiskNames } from './risk-words.ts';

type Summary = Schemas['RiskModelSummary'];

const words = inLanguages({
  en: {
    caption: 'Risk models',
    model: 'Model',
    subject: 'Subjects',
    status: 'Status',
    made: 'Written',
    inForce: 'In force',
    since: (day: string) => `since ${day}`,
    until: (day: string) => `until ${day}`,
    always: 'shipped',
    actions: 'Actions',
  },
  pt: {
    caption: 'Modelos de risco',
    model: 'Modelo',
    subject: 'Sujeitos',
    status: 'Situação',
    made: 'Escrito',
    inForce: 'Em vigor',
    since: (day: string) => `desde ${day}`,
    until: (day: string) => `até ${day}`,
    always: 'de fábrica',
    actions: 'Ações',
  },
});

/** A table of versions of risk models, each of which can be copied as a new draft. */
export function ModelTable({ rows }: { readonly rows: readonly Summary[] }) {
  const t = useWords(words);
  const names = useRiskNames();
  const format = useRecordFormat();
  const may = useMay();
  const mayCopy = may('createRiskModel');
  const columns = useMemo(() => {
    const column = columnsOf<Summary>();
    return [
      column.display({
        id: 'model',
        header: t.model,
        cell: ({
          row: {
            original: { id, number, name },
          },
        }) => (
          <Link to="/risk/models/$modelId" params={{ modelId: id }}>
            {number} · {name}
          </Link>
        ),
      }),
      column.display({
        id: 'subject',
        header: t.subject,
        cell: ({ row: { original } }) => names.subjects[original.subjectType],
      }),
      column.display({
        id: 'status',
        header: t.status,
        cell: ({
          row: {
            original: { status },
          },
        }) => <Badge tone={STATUS_TONES[status]}>{names.statuses[status]}</Badge>,
      }),
      column.display({
        id: 'made',
        header: t.made,
        cell: ({
          row: {
            original: { createdAt, createdBy },
          },
        }) => (createdBy.type === 'system' ? t.always : `${format.day(createdAt)}, ${createdBy.display}`),
      }),
      column.display({
        id: 'inForce',
        header: t.inForce,
        cell: ({ row: { original } }) => <InForce model={original} />,
      }),
      ...(mayCopy
        ? [
            column.display({
              id: 'actions',
              header: t.actions,
              cell: ({ row: { original } }) => <CopyModel model={original} small />,
            }),
          ]
        : []),
    ];
  }, [t, names, format, mayCopy]);
  return <DataTable caption={t.caption} rows={rows} columns={columns} rowId={({ id }) => id} />;
}

function InForce({ model: { activatedAt, retiredAt, createdBy } }: { readonly model: Summary }) {
  const t = useWords(words);
  const format = useRecordFormat();
  if (retiredAt !== null) return <>{t.until(format.day(retiredAt))}</>;
  if (activatedAt === null) return <>–</>;
  return <>{createdBy.type === 'system' ? t.always : t.since(format.day(activatedAt))}</>;
}
