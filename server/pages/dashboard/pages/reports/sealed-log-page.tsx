/**
 * The page `/cases/reports/log`: the sealed audit log of reports, and whether it holds. For compliance officers only.
 */
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { More } from '../../ui/more.tsx';
import { Empty, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { actorName, type NameOf, namesIn, OutcomeBadge, useEventWords } from '../audit/event-words.tsx';

const words = inLanguages({
  en: {
    title: 'Sealed log of reports',
    lead: 'What was done with reports. It stands apart from the audit log, so that nobody else learns of it.',
    list: 'To the reports',
    events: 'Events',
    what: 'What happened',
    when: 'When',
    who: 'Who',
    outcome: 'Outcome',
    report: 'Report',
    open: 'Open',
    number: (sequence: number) => `No. ${sequence}`,
    nothing: 'Nothing was done yet',
    holds: (events: string) => `The sealed log holds: ${events} events were checked.`,
    broken: (sequence: string) => `The sealed log does not hold, at event ${sequence}.`,
  },
  pt: {
    title: 'Trilha lacrada das comunicações',
    lead: 'O que se fez com comunicações. Fica à parte da trilha de auditoria, para que ninguém mais saiba.',
    list: 'Para as comunicações',
    events: 'Eventos',
    what: 'O que aconteceu',
    when: 'Quando',
    who: 'Quem',
    outcome: 'Resultado',
    report: 'Comunicação',
    open: 'Abrir',
    number: (sequence: number) => `Nº ${sequence}`,
    nothing: 'Nada foi feito ainda',
    holds: (events: string) => `A trilha lacrada se sustenta: ${events} eventos foram verificados.`,
    broken: (sequence: string) => `A trilha lacrada não se sustenta, no evento ${sequence}.`,
  },
});

export function SealedLogPage() {
  const t = useWords(words);
  // Each reading and each verification is an event of the log itself.
  const once = { refetchOnWindowFocus: false };
  const verification = api.useQuery('get', '/v1/cases/reports/audit-events/verify', {}, once);
  const events = api.useInfiniteQuery(
    'get',
    '/v1/cases/reports/audit-events',
    { params: { query: { limit: 50 } } },
    { initialPageParam: null, getNextPageParam: (page: Schemas['AuditEventList']) => page.cursor, ...once },
  );
  const rows = useMemo(() => events.data?.pages.flatMap(({ items }) => items) ?? [], [events.data]);
  const nameOf = useMemo(() => namesIn(events.data?.pages ?? []), [events.data]);
  return (
    <Page title={t.title} lead={t.lead} actions={<ButtonLink to="/cases/reports">{t.list}</ButtonLink>}>
      <Loaded query={verification}>{(found) => <Verdict verification={found} />}</Loaded>
      <Loaded query={events}>
        {() =>
          rows.length === 0 ? (
            <Empty title={t.nothing} />
          ) : (
            <div className="stack">
              <EventTable rows={rows} nameOf={nameOf} />
              <More pages={events} count={rows.length} />
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

function Verdict({ verification }: { readonly verification: Schemas['AuditVerification'] }) {
  const t = useWords(words);
  const { number } = useFormat();
  const { valid, checked, firstFailure } = verification;
  if (valid) return <Notice tone="good">{t.holds(number(checked))}</Notice>;
  return <Notice tone="error">{t.broken(firstFailure === null ? '?' : number(firstFailure.sequence))}</Notice>;
}

interface EventTableProps {
  readonly rows: readonly Schemas['AuditEvent'][];
  readonly nameOf: NameOf;
}

function EventTable({ rows, nameOf }: EventTableProps) {
  const t = useWords(words);
  const format = useFormat();
  const names = useEventWords();
  const columns = useMemo(() => {
    const column = columnsOf<Schemas['AuditEvent']>();
    return [
      column.display({
        id: 'what',
        header: t.what,
        cell: ({ row: { original } }) => (
          <>
            {names.action(original.action)} <span className="muted">{t.number(original.sequence)}</span>
          </>
        ),
      }),
      column.display({
        id: 'when',
        header: t.when,
        cell: ({ row: { original } }) => (
          <time dateTime={original.occurredAt}>{format.precise(original.occurredAt)}</time>
        ),
      }),
      column.display({ id: 'who', header: t.who, cell: ({ row: { original } }) => actorName(original.actor, nameOf) }),
      column.display({
        id: 'report',
        header: t.report,
        cell: ({ row: { original } }) =>
          original.resource.type === 'report' &&
          original.resource.id !== null && (
            <Link to="/cases/reports/$reportId" params={{ reportId: original.resource.id }}>
              {t.open}
            </Link>
          ),
      }),
      column.display({
        id: 'outcome',
        header: t.outcome,
        cell: ({ row: { original } }) => <OutcomeBadge event={original} />,
      }),
    ];
  }, [t, format, names, nameOf]);
  return <DataTable caption={t.events} rows={rows} columns={columns} rowId={({ id }) => id} />;
}
