import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useRecordFormat } from '../../core/business-clock.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { CASE_TONES, type ReviewCase, useCaseNames } from './case-words.ts';
import { useMemberNames } from './member-names.ts';

const words = inLanguages({
  en: {
    caption: 'Cases',
    number: 'Case',
    type: 'Type',
    status: 'Status',
    queue: 'Queue',
    assignee: 'Assigned to',
    nobody: 'Nobody',
    due: 'Due',
    late: 'late',
    stopped: 'Clock stopped',
    opened: 'Opened',
  },
  pt: {
    caption: 'Casos',
    number: 'Caso',
    type: 'Tipo',
    status: 'Situação',
    queue: 'Fila',
    assignee: 'Atribuído a',
    nobody: 'Ninguém',
    due: 'Prazo',
    late: 'atrasado',
    stopped: 'Prazo suspenso',
    opened: 'Aberto',
  },
});

export function CaseTable({ rows }: { readonly rows: readonly ReviewCase[] }) {
  const t = useWords(words);
  const names = useCaseNames();
  const memberName = useMemberNames();
  const format = useRecordFormat();
  const columns = useMemo(() => {
    const column = columnsOf<ReviewCase>();
    return [
      column.display({
        id: 'number',
        header: t.number,
        cell: ({
          row: {
            original: { id, number },
          },
        }) => (
          <Link to="/cases/$caseId" params={{ caseId: id }}>
            {number}
          </Link>
        ),
      }),
      column.display({ id: 'type', header: t.type, cell: ({ row: { original } }) => names.types[original.type] }),
      column.display({
        id: 'status',
        header: t.status,
        cell: ({
          row: {
            original: { status },
          },
        }) => <Badge tone={CASE_TONES[status]}>{names.statuses[status]}</Badge>,
      }),
      column.display({ id: 'queue', header: t.queue, cell: ({ row: { original } }) => original.queue }),
      column.display({
        id: 'assignee',
        header: t.assignee,
        cell: ({
          row: {
            original: { assigneeId },
          },
        }) => (assigneeId === null ? t.nobody : memberName(assigneeId)),
      }),
      column.display({
        id: 'due',
        header: t.due,
        cell: ({
          row: {
            original: { dueAt, slaBreached },
          },
        }) => (
          <span className="row">
            {dueAt === null ? t.stopped : <time dateTime={dueAt}>{format.dateTime(dueAt)}</time>}
            {slaBreached && <Badge tone="danger">{t.late}</Badge>}
          </span>
        ),
      }),
      column.display({
        id: 'opened',
        header: t.opened,
        cell: ({
          row: {
            original: { createdAt },
          },
        }) => (
          <time dateTime={createdAt} title={format.dateTime(createdAt)}>
            {format.relative(createdAt)}
          </time>
        ),
      }),
    ];
  }, [t, names, memberName, format]);
  return <DataTable caption={t.caption} rows={rows} columns={columns} rowId={({ id }) => id} />;
}
