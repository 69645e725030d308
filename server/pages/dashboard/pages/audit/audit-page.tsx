/**
 * The page `/audit`. Opened by shell/routes.tsx. Dialogs and filters are in the address, so that a link shows the same.
 */
import { keepPreviousData } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { navigationWords } from '../../core/navigation.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { useFormat } from '../../ui/format.ts';
import { LoadedList } from '../../ui/loaded-list.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { parametersOf } from './audit-search.ts';
import { CheckpointsDialog } from './checkpoints-dialog.tsx';
import { EventDialog } from './event-dialog.tsx';
import { actorName, codeInWords, type NameOf, namesIn, OutcomeBadge, useEventWords } from './event-words.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { VerifyDialog } from './verify-dialog.tsx';
import './audit.css';

type AuditEvent = Schemas['AuditEvent'];

const words = inLanguages({
  en: {
    lead: 'What was done, by whom, and whether the record of it still holds.',
    verify: 'Verify the log',
    checkpoints: 'Checkpoints',
    export: 'Export',
    events: 'Events',
    number: (sequence: number) => `No. ${sequence}`,
    what: 'What happened',
    when: 'When',
    who: 'Who',
    about: 'About',
    outcome: 'Outcome',
    sandbox: 'Sandbox',
    nothing: 'Nothing fits',
    loosen: 'Change or clear the filters to see more of the log.',
  },
  pt: {
    lead: 'O que foi feito, por quem, e se o registro ainda se sustenta.',
    verify: 'Verificar a trilha',
    checkpoints: 'Pontos de verificação',
    export: 'Exportar',
    events: 'Eventos',
    number: (sequence: number) => `Nº ${sequence}`,
    what: 'O que aconteceu',
    when: 'Quando',
    who: 'Quem',
    about: 'Sobre',
    outcome: 'Resultado',
    sandbox: 'Sandbox',
    nothing: 'Nada corresponde',
    loosen: 'Mude ou limpe os filtros para ver mais da trilha.',
  },
});

/** The audit log: its events, their details, and the proofs that it has not been changed. */
export function AuditPage() {
  const t = useWords(words);
  const { pages: titles } = useWords(navigationWords);
  const may = useMay();
  const search = useSearch({ from: '/signed-in/audit' });
  const navigate = useNavigate({ from: '/audit' });
  // Each search is itself an event of the log, so the log is not reloaded at each window focus.
  const events = api.useInfiniteQuery(
    'get',
    '/v1/audit/events',
    { params: { query: parametersOf(search) } },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['AuditEventList']) => page.cursor,
      refetchOnWindowFocus: false,
      placeholderData: keepPreviousData,
    },
  );
  const shown = useMemo(() => events.data?.pages.flatMap(({ items }) => items) ?? [], [events.data]);
  const nameOf = useMemo(() => namesIn(events.data?.pages ?? []), [events.data]);
  const close = () =>
    void navigate({
      search: (before) => ({
        ...before,
        event: undefined,
        show: undefined,
        export: undefined,
      }),
      resetScroll: false,
    });

  return (
    <Page
      title={titles['/audit']}
      lead={t.lead}
      actions={
        <>
          {may('createAuditExport') && (
            <ButtonLink from="/audit" search={(before) => ({ ...before, show: 'export' as const })} resetScroll={false}>
              {t.export}
            </ButtonLink>
          )}
          {may('listAuditCheckpoints') && (
            <ButtonLink
              from="/audit"
              search={(before) => ({ ...before, show: 'checkpoints' as const })}
              resetScroll={false}
            >
              {t.checkpoints}
            </ButtonLink>
          )}
          {may('verifyAuditLog') && (
            <ButtonLink from="/audit" search={(before) => ({ ...before, show: 'verify' as const })} resetScroll={false}>
              {t.verify}
            </ButtonLink>
          )}
        </>
      }
    >
      <AuditFilters search={search} environments={events.data?.pages[0]?.environments} />
      <LoadedList
        pages={events}
        count={shown.length}
        empty={
          <Empty title={t.nothing}>
            <p>{t.loosen}</p>
          </Empty>
        }
      >
        <EventTable events={shown} nameOf={nameOf} selected={search.event} />
      </LoadedList>
      {search.event !== undefined && (
        <EventDialog
          key={search.event}
          id={search.event}
          listed={shown.find(({ id }) => id === search.event)}
          nameOf={nameOf}
          onClose={close}
        />
      )}
      {search.show === 'verify' && <VerifyDialog onClose={close} />}
      {search.show === 'export' && <ExportDialog search={search} onClose={close} />}
      {search.show === 'checkpoints' && <CheckpointsDialog onClose={close} />}
    </Page>
  );
}

interface EventTableProps {
  readonly events: readonly AuditEvent[];
  readonly nameOf: NameOf;
  readonly selected: string | undefined;
}

function EventTable({ events, nameOf, selected }: EventTableProps) {
  const t = useWords(words);
  const format = useFormat();
  const names = useEventWords();
  const columns = useMemo(() => {
    const column = columnsOf<AuditEvent>();
    return [
      column.display({
        id: 'what',
        header: t.what,
        cell: ({
          row: {
            original: { id, action, sequence, environment },
          },
        }) => (
          <div className="audit-what">
            <Link from="/audit" search={(before) => ({ ...before, event: id })} resetScroll={false}>
              {names.action(action)}
            </Link>
            <span className="muted">
              {t.number(sequence)}
              {environment === 'sandbox' && <> · {t.sandbox}</>}
            </span>
          </div>
        ),
      }),
      column.display({
        id: 'when',
        header: t.when,
        cell: ({ row: { original } }) => (
          <time dateTime={original.occurredAt}>{format.precise(original.occurredAt)}</time>
        ),
      }),
      column.display({
        id: 'who',
        header: t.who,
        cell: ({
          row: {
            original: { actor },
          },
        }) => (
          <span className="audit-what">
            <span className="breakable">{actorName(actor, nameOf)}</span>
            <span className="muted">{names.actorType(actor.type)}</span>
          </span>
        ),
      }),
      column.display({
        id: 'about',
        header: t.about,
        cell: ({
          row: {
            original: { resource },
          },
        }) => (
          <span className="audit-what">
            <span className="breakable">{nameOf(resource) ?? names.resourceType(resource.type)}</span>
            {nameOf(resource) !== null && <span className="muted">{names.resourceType(resource.type)}</span>}
          </span>
        ),
      }),
      column.display({
        id: 'outcome',
        header: t.outcome,
        cell: ({ row: { original } }) => (
          <span className="audit-what">
            <span>
              <OutcomeBadge event={original} />
            </span>
            {original.outcome !== 'success' && original.reason !== null && (
              <span className="muted">{codeInWords(original.reason)}</span>
            )}
          </span>
        ),
      }),
    ];
  }, [t, format, names, nameOf]);
  return <DataTable caption={t.events} rows={events} columns={columns} rowId={({ id }) => id} selected={selected} />;
}
