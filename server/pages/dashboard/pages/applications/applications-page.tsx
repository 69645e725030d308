/** The page `/applications`, the list of applications. Opened by shell/routes.tsx. Its filters are in the address. */
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { useMemo } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { useFormat } from '../../ui/format.ts';
import { LoadedList } from '../../ui/loaded-list.tsx';
import { Empty, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { ListFilters } from './list/list-filters.tsx';
import { ListTable } from './list/list-table.tsx';
import { SavedFilters } from './list/saved-filters.tsx';
import { type ApplicationsSearch, isFiltered, parametersOf } from './list/search.ts';
import './applications.css';

const words = inLanguages({
  en: {
    title: 'Applications',
    lead: 'Everybody who applies: where they stand, and what is still missing.',
    create: 'New application',
    refresh: 'Refresh',
    none: 'No application yet',
    noneHint: 'Create one here, or let your own system create them by the API.',
    noneReader: 'Nobody has applied yet in this environment.',
    guide: 'Read the guide',
    noMatch: 'No application matches the filters',
    clear: 'Clear the filters',
    shown: (count: string, complete: boolean) => (complete ? `${count} in all` : `${count} loaded, more follow`),
    masked: 'Your role sees personal data masked.',
  },
  pt: {
    title: 'Solicitações',
    lead: 'Todos os que pedem cadastro: em que ponto estão e o que ainda falta.',
    create: 'Nova solicitação',
    refresh: 'Atualizar',
    none: 'Ainda não há solicitações',
    noneHint: 'Crie uma aqui, ou deixe que o seu sistema as crie pela API.',
    noneReader: 'Ninguém pediu cadastro ainda neste ambiente.',
    guide: 'Ler o guia',
    noMatch: 'Nenhuma solicitação corresponde aos filtros',
    clear: 'Limpar os filtros',
    shown: (count: string, complete: boolean) => (complete ? `${count} ao todo` : `${count} carregadas, há mais`),
    masked: 'O seu papel vê dados pessoais mascarados.',
  },
});

/**
 * Options of the list. It is read page by page and reloaded only by the user or after a change here, because reloading
 * a thousand pages at each window focus is useless.
 */
const READING = {
  initialPageParam: null,
  getNextPageParam: (page: Schemas['ApplicationList']) => page.cursor,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 60_000,
  refetchOnWindowFocus: false,
  // Comparing each of a hundred thousand records with itself after each page takes longer than a frame.
  structuralSharing: false,
  placeholderData: keepPreviousData,
} as const;

export function ApplicationsPage() {
  const t = useWords(words);
  const may = useMay();
  const search = useSearch({ from: '/signed-in/applications' });
  const navigate = useNavigate({ from: '/applications' });
  const apply = (changed: ApplicationsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false });
  const clear = () => void navigate({ search: ({ sort }) => ({ sort }), resetScroll: false });
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        may('createApplication') && (
          <ButtonLink to="/applications/new" look="primary">
            {t.create}
          </ButtonLink>
        )
      }
    >
      <div className="stack">
        <ListFilters search={search} apply={apply} clear={clear} />
        <SavedFilters search={search} />
      </div>
      <List search={search} clear={clear} />
    </Page>
  );
}

function List({ search, clear }: { readonly search: ApplicationsSearch; readonly clear: () => void }) {
  const t = useWords(words);
  const format = useFormat();
  const may = useMay();
  const queries = useQueryClient();
  const query = parametersOf(search, may('downloadDocument'));
  const pages = api.useInfiniteQuery('get', '/v1/applications', { params: { query } }, READING);
  // Starts at the first page again, however many were read.
  const refresh = () => void queries.resetQueries({ queryKey: api.queryOptions('get', '/v1/applications').queryKey });
  const rows = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  return (
    <LoadedList pages={pages} count={rows.length} empty={<Nothing filtered={isFiltered(search)} clear={clear} />}>
      {rows[0]?.personalDataMasked === true && <Notice>{t.masked}</Notice>}
      <div className="list-head">
        <p className="muted" role="status">
          {t.shown(format.number(rows.length), !pages.hasNextPage)}
        </p>
        <Button look="quiet" small busy={pages.isRefetching} onClick={refresh}>
          <RefreshCw aria-hidden size={15} />
          {t.refresh}
        </Button>
      </div>
      <ListTable rows={rows} />
    </LoadedList>
  );
}

function Nothing({ filtered, clear }: { readonly filtered: boolean; readonly clear: () => void }) {
  const t = useWords(words);
  const mayCreate = useMay()('createApplication');
  if (filtered)
    return (
      <Empty title={t.noMatch}>
        <Button onClick={clear}>{t.clear}</Button>
      </Empty>
    );
  return (
    <Empty title={t.none}>
      <p>{mayCreate ? t.noneHint : t.noneReader}</p>
      <div className="row">
        {mayCreate && (
          <ButtonLink to="/applications/new" look="primary">
            {t.create}
          </ButtonLink>
        )}
        <a className="button" href="/guides/onboarding-a-person">
          {t.guide}
        </a>
      </div>
    </Empty>
  );
}
