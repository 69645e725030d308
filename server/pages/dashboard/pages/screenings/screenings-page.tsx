/** The page `/screenings`: screenings, watch lists and the allow-list. Opened by shell/routes.tsx. */
import { keepPreviousData } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { navigationWords } from '../../core/navigation.ts';
import { oneOf } from '../../core/search.ts';
import { Badge } from '../../ui/badge.tsx';
import { Filters, SelectFilter } from '../../ui/filters.tsx';
import { LoadedList } from '../../ui/loaded-list.tsx';
import { Empty, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { Allowlist } from './allowlist.tsx';
import { calledOf, RESULT_TONES, useScreeningNames } from './screening-words.ts';
import { RESULTS } from './screenings-search.ts';
import { WatchLists } from './watch-lists.tsx';
import './screenings.css';

const words = inLanguages({
  en: {
    lead: 'Who was screened against watch lists, and what was found.',
    result: 'Result',
    any: 'Any result',
    screenings: 'Screenings',
    subject: 'Screened',
    hits: 'Hits',
    when: 'When',
    by: 'By',
    nothing: 'Nobody was screened yet',
    how: 'An application is screened from its page, and by POST /v1/screenings.',
    nothingFits: 'Nothing fits',
    loosen: 'Choose another result to see more.',
    masked: 'Your role sees names masked.',
    open: (open: number, all: number) => (all === 0 ? 'none' : `${open} of ${all} open`),
    stale: 'lists out of date',
    superseded: 'superseded',
  },
  pt: {
    lead: 'Quem foi consultado nas listas, e o que se encontrou.',
    result: 'Resultado',
    any: 'Qualquer resultado',
    screenings: 'Consultas',
    subject: 'Consultado',
    hits: 'Ocorrências',
    when: 'Quando',
    by: 'Por',
    nothing: 'Ninguém foi consultado ainda',
    how: 'Uma solicitação é consultada na página dela, e por POST /v1/screenings.',
    nothingFits: 'Nada corresponde',
    loosen: 'Escolha outro resultado para ver mais.',
    masked: 'Seu papel vê os nomes mascarados.',
    open: (open: number, all: number) => (all === 0 ? 'nenhuma' : `${open} de ${all} abertas`),
    stale: 'listas desatualizadas',
    superseded: 'substituída',
  },
});

const ANY = '';

/** Shows screenings by their result, the searched lists, and the allowlist. */
export function ScreeningsPage() {
  const t = useWords(words);
  const names = useScreeningNames();
  const { pages: titles } = useWords(navigationWords);
  const may = useMay();
  const { result } = useSearch({ from: '/signed-in/screenings' });
  const navigate = useNavigate({ from: '/screenings' });
  const apply = (value: string) =>
    void navigate({ search: { result: oneOf(RESULTS, value) }, replace: true, resetScroll: false });
  const pages = api.useInfiniteQuery(
    'get',
    '/v1/screenings',
    { params: { query: { limit: 50, ...(result !== undefined && { result: [result] }) } } },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['ScreeningSummaryList']) => page.cursor,
      placeholderData: keepPreviousData,
    },
  );
  const rows = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  return (
    <Page title={titles['/screenings']} lead={t.lead}>
      <Filters clear={result === undefined ? null : () => apply(ANY)}>
        <SelectFilter
          label={t.result}
          value={result ?? ANY}
          apply={apply}
          options={[[ANY, t.any], ...RESULTS.map((value) => [value, names.results[value]] as const)]}
        />
      </Filters>
      <LoadedList
        pages={pages}
        count={rows.length}
        empty={
          <Empty title={result === undefined ? t.nothing : t.nothingFits}>
            <p>{result === undefined ? t.how : t.loosen}</p>
          </Empty>
        }
      >
        {rows[0]?.personalDataMasked === true && <Notice>{t.masked}</Notice>}
        <ScreeningTable rows={rows} />
      </LoadedList>
      {may('listAllowlistEntries') && <Allowlist />}
      {may('listScreeningLists') && <WatchLists />}
    </Page>
  );
}

function ScreeningTable({ rows }: { readonly rows: readonly Schemas['ScreeningSummary'][] }) {
  const t = useWords(words);
  const names = useScreeningNames();
  const format = useRecordFormat();
  const columns = useMemo(() => {
    const column = columnsOf<Schemas['ScreeningSummary']>();
    return [
      column.display({
        id: 'subject',
        header: t.subject,
        cell: ({
          row: {
            original: { id, subject },
          },
        }) => (
          <Link to="/screenings/$screeningId" params={{ screeningId: id }}>
            {calledOf(subject)}
          </Link>
        ),
      }),
      column.display({
        id: 'result',
        header: t.result,
        cell: ({
          row: {
            original: { result, staleLists, supersededById },
          },
        }) => (
          <span className="row">
            <Badge tone={RESULT_TONES[result]}>{names.results[result]}</Badge>
            {staleLists.length > 0 && <Badge tone="warning">{t.stale}</Badge>}
            {supersededById !== null && <Badge>{t.superseded}</Badge>}
          </span>
        ),
      }),
      column.display({
        id: 'hits',
        header: t.hits,
        cell: ({ row: { original } }) => t.open(original.openHitCount, original.hitCount),
      }),
      column.display({
        id: 'when',
        header: t.when,
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
      column.display({ id: 'by', header: t.by, cell: ({ row: { original } }) => original.createdBy.display }),
    ];
  }, [t, names, format]);
  return <DataTable caption={t.screenings} rows={rows} columns={columns} rowId={({ id }) => id} />;
}
