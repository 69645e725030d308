/** The page `/monitoring`: alerts about customers, and the coverage. Opened by shell/routes.tsx. */
import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { navigationWords } from '../../core/navigation.ts';
import { oneOf } from '../../core/search.ts';
import { Filters, SelectFilter } from '../../ui/filters.tsx';
import { LoadedList } from '../../ui/loaded-list.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { AlertTable } from './alert-table.tsx';
import { Coverage } from './coverage.tsx';
import { KINDS, type MonitoringSearch, SEVERITIES, STATUSES } from './monitoring-search.ts';
import { type Alert, useMonitoringNames } from './monitoring-words.ts';
import { TriageDialog } from './triage-dialog.tsx';
import './monitoring.css';

const words = inLanguages({
  en: {
    lead: 'What has changed about customers since they were approved, and whether everybody is watched who must be.',
    alerts: 'Alerts',
    status: 'Status',
    waiting: 'Open and taken up',
    all: 'All',
    severity: 'Severity',
    any: 'Any',
    kind: 'About',
    nothing: 'Nothing waits for you',
    quiet: 'Customers are screened again whenever a list changes, and before documents and reviews are due.',
    nothingFits: 'Nothing fits',
    loosen: 'Change or clear the filters to see more.',
  },
  pt: {
    lead: 'O que mudou nos clientes desde a aprovação, e se todos que devem ser acompanhados o são.',
    alerts: 'Alertas',
    status: 'Situação',
    waiting: 'Abertos e em análise',
    all: 'Todos',
    severity: 'Gravidade',
    any: 'Qualquer',
    kind: 'Sobre',
    nothing: 'Nada espera por você',
    quiet: 'Os clientes são consultados de novo sempre que uma lista muda, e antes de vencerem documentos e revisões.',
    nothingFits: 'Nada corresponde',
    loosen: 'Mude ou limpe os filtros para ver mais.',
  },
});

const ANY = '';

/** Shows unhandled alerts and the coverage. */
export function MonitoringPage() {
  const t = useWords(words);
  const { pages: titles } = useWords(navigationWords);
  const may = useMay();
  const search = useSearch({ from: '/signed-in/monitoring' });
  const { status, severity, kind } = search;
  const [triaged, setTriaged] = useState<Alert | null>(null);
  const pages = api.useInfiniteQuery(
    'get',
    '/v1/monitoring/alerts',
    {
      params: {
        query: {
          limit: 50,
          status: [...statusesOf(status)],
          ...(severity !== undefined && { severity: [severity] }),
          ...(kind !== undefined && { kind: [kind] }),
        },
      },
    },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['AlertList']) => page.cursor,
      placeholderData: keepPreviousData,
    },
  );
  const rows = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  const isFiltered = [status, severity, kind].some((value) => value !== undefined);
  return (
    <Page title={titles['/monitoring']} lead={t.lead}>
      {may('getCoverage') && <Coverage />}
      <Section title={t.alerts}>
        <AlertFilters search={search} isFiltered={isFiltered} />
        <LoadedList
          pages={pages}
          count={rows.length}
          empty={
            <Empty title={isFiltered ? t.nothingFits : t.nothing}>
              <p>{isFiltered ? t.loosen : t.quiet}</p>
            </Empty>
          }
        >
          <AlertTable rows={rows} ask={setTriaged} />
        </LoadedList>
      </Section>
      {triaged !== null && <TriageDialog alert={triaged} close={() => setTriaged(null)} />}
    </Page>
  );
}

/** Returns the statuses to list. Without a choice, these are the ones that still need work. */
function statusesOf(chosen: MonitoringSearch['status']): readonly (typeof STATUSES)[number][] {
  if (chosen === undefined) return ['open', 'acknowledged'];
  return chosen === 'all' ? STATUSES : [chosen];
}

function AlertFilters({ search, isFiltered }: { readonly search: MonitoringSearch; readonly isFiltered: boolean }) {
  const t = useWords(words);
  const names = useMonitoringNames();
  const navigate = useNavigate({ from: '/monitoring' });
  const apply = (changed: MonitoringSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false });
  return (
    <Filters clear={isFiltered ? () => apply({ status: undefined, severity: undefined, kind: undefined }) : null}>
      <SelectFilter
        label={t.status}
        value={search.status ?? ANY}
        apply={(value) => apply({ status: value === 'all' ? 'all' : oneOf(STATUSES, value) })}
        options={[
          [ANY, t.waiting],
          ...STATUSES.map((value) => [value, names.statuses[value]] as const),
          ['all', t.all],
        ]}
      />
      <SelectFilter
        label={t.severity}
        value={search.severity ?? ANY}
        apply={(value) => apply({ severity: oneOf(SEVERITIES, value) })}
        options={[[ANY, t.any], ...SEVERITIES.map((value) => [value, names.severities[value]] as const)]}
      />
      <SelectFilter
        label={t.kind}
        value={search.kind ?? ANY}
        apply={(value) => apply({ kind: oneOf(KINDS, value) })}
        options={[[ANY, t.any], ...KINDS.map((value) => [value, names.kinds[value]] as const)]}
      />
    </Filters>
  );
}
