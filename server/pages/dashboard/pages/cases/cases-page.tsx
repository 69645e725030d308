import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { navigationWords } from '../../core/navigation.ts';
import { oneOf } from '../../core/search.ts';
import { Filters, SelectFilter } from '../../ui/filters.tsx';
import { LoadedList } from '../../ui/loaded-list.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { useCaseNames } from './case-words.ts';
import { CaseSummary } from './case-summary.tsx';
import { CaseTable } from './case-table.tsx';
import { type CasesSearch, caseParameters, isFiltered, SORTS, STATUSES, TYPES } from './cases-search.ts';
import { TakeNext } from './take-next.tsx';
import './cases.css';

const words = inLanguages({
  en: {
    lead: 'Reviews by people: each case has one person who works on it, and a time by which it is due.',
    cases: 'Cases',
    status: 'Status',
    waiting: 'All but resolved',
    all: 'All',
    type: 'Type',
    any: 'Any',
    queue: 'Queue',
    assignee: 'Assigned to',
    me: 'Me',
    nobody: 'Nobody',
    due: 'Due time',
    late: 'Late only',
    sort: 'Order',
    sorts: {
      queue: 'By queue, then due time',
      dueAt: 'First due first',
      '-createdAt': 'Newest first',
      '-updatedAt': 'Last changed first',
    } satisfies Record<(typeof SORTS)[number], string>,
    nothing: 'No case is open',
    quiet: 'Cases are opened when an alert is escalated, a hit is confirmed or a risk level rises.',
    nothingFits: 'Nothing fits',
    loosen: 'Change or clear the filters to see more.',
  },
  pt: {
    lead: 'Análises por pessoas: em cada caso trabalha uma pessoa, e ele tem um prazo.',
    cases: 'Casos',
    status: 'Situação',
    waiting: 'Todos menos os concluídos',
    all: 'Todos',
    type: 'Tipo',
    any: 'Qualquer',
    queue: 'Fila',
    assignee: 'Atribuído a',
    me: 'Mim',
    nobody: 'Ninguém',
    due: 'Prazo',
    late: 'Só os atrasados',
    sort: 'Ordem',
    sorts: {
      queue: 'Por fila, depois por prazo',
      dueAt: 'O que vence primeiro antes',
      '-createdAt': 'Mais novos primeiro',
      '-updatedAt': 'Alterados por último primeiro',
    } satisfies Record<(typeof SORTS)[number], string>,
    nothing: 'Nenhum caso está aberto',
    quiet: 'Casos são abertos quando um alerta é encaminhado, uma ocorrência é confirmada ou um nível de risco sobe.',
    nothingFits: 'Nada corresponde',
    loosen: 'Mude ou limpe os filtros para ver mais.',
  },
});

const ANY = '';

/** Lists the cases of the environment with their summary. The filters are in the URL, so that a list can be shared. */
export function CasesPage() {
  const t = useWords(words);
  const { pages: titles } = useWords(navigationWords);
  const search = useSearch({ from: '/signed-in/cases' });
  const pages = api.useInfiniteQuery(
    'get',
    '/v1/cases',
    { params: { query: caseParameters(search) } },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['ReviewCaseList']) => page.cursor,
      placeholderData: keepPreviousData,
    },
  );
  const rows = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  const filtered = isFiltered(search);
  return (
    <Page title={titles['/cases']} lead={t.lead} actions={<TakeNext />}>
      <CaseSummary />
      <Section title={t.cases}>
        <CaseFilters search={search} />
        <LoadedList
          pages={pages}
          count={rows.length}
          empty={
            <Empty title={filtered ? t.nothingFits : t.nothing}>
              <p>{filtered ? t.loosen : t.quiet}</p>
            </Empty>
          }
        >
          <CaseTable rows={rows} />
        </LoadedList>
      </Section>
    </Page>
  );
}

function CaseFilters({ search }: { readonly search: CasesSearch }) {
  const t = useWords(words);
  const names = useCaseNames();
  const navigate = useNavigate({ from: '/cases' });
  const settings = api.useQuery('get', '/v1/settings', { params: { query: { section: 'queues' } } });
  const queues = settings.data?.queues ?? [];
  const apply = (changed: CasesSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false });
  const clear = () => void navigate({ search: { sort: search.sort }, replace: true, resetScroll: false });
  return (
    <Filters clear={isFiltered(search) ? clear : null}>
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
        label={t.type}
        value={search.type ?? ANY}
        apply={(value) => apply({ type: oneOf(TYPES, value) })}
        options={[[ANY, t.any], ...TYPES.map((value) => [value, names.types[value]] as const)]}
      />
      <SelectFilter
        label={t.queue}
        value={search.queue ?? ANY}
        apply={(value) => apply({ queue: value === ANY ? undefined : value })}
        options={[[ANY, t.any], ...queues.map(({ key, name }) => [key, name] as const)]}
      />
      <SelectFilter
        label={t.assignee}
        value={search.assignee ?? ANY}
        apply={(value) => apply({ assignee: oneOf(['me', 'none'], value) })}
        options={[
          [ANY, t.any],
          ['me', t.me],
          ['none', t.nobody],
        ]}
      />
      <SelectFilter
        label={t.due}
        value={search.late ?? ANY}
        apply={(value) => apply({ late: oneOf(['true'], value) })}
        options={[
          [ANY, t.any],
          ['true', t.late],
        ]}
      />
      <SelectFilter
        label={t.sort}
        value={search.sort ?? 'queue'}
        apply={(value) => apply({ sort: value === 'queue' ? undefined : oneOf(SORTS, value) })}
        options={SORTS.map((sort) => [sort, t.sorts[sort]] as const)}
      />
    </Filters>
  );
}
