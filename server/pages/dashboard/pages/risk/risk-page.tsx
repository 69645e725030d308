import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { navigationWords } from '../../core/navigation.ts';
import { oneOf } from '../../core/search.ts';
import { Filters, SelectFilter } from '../../ui/filters.tsx';
import { LoadedList } from '../../ui/loaded-list.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { optionsOf } from '../applications/words.ts';
import { ModelTable } from './model-table.tsx';
import { ReferenceLists } from './reference-lists.tsx';
import { type RiskSearch, STATUSES, SUBJECTS } from './risk-search.ts';
import { useRiskNames } from './risk-words.ts';
import './refusals.ts';
import './risk.css';

const words = inLanguages({
  en: {
    lead: 'How the risk of a customer is scored, version by version. One version for each kind of subject is active.',
    subject: 'Subjects',
    status: 'Status',
    any: 'Any',
    nothing: 'No version fits',
    loosen: 'Choose other filters to see more.',
  },
  pt: {
    lead: 'Como se pontua o risco de um cliente, versão a versão. Uma versão por tipo de sujeito está ativa.',
    subject: 'Sujeitos',
    status: 'Situação',
    any: 'Qualquer',
    nothing: 'Nenhuma versão corresponde',
    loosen: 'Escolha outros filtros para ver mais.',
  },
});

/** Lists the versions of the risk models, and the reference lists that they use. */
export function RiskPage() {
  const t = useWords(words);
  const names = useRiskNames();
  const { pages: titles } = useWords(navigationWords);
  const may = useMay();
  const search = useSearch({ from: '/signed-in/risk' });
  const navigate = useNavigate({ from: '/risk' });
  const apply = (changed: RiskSearch) =>
    void navigate({ search: { ...search, ...changed }, replace: true, resetScroll: false });
  const { subject, status } = search;
  const pages = api.useInfiniteQuery(
    'get',
    '/v1/risk/models',
    {
      params: {
        query: {
          limit: 50,
          ...(subject !== undefined && { subjectType: subject }),
          ...(status !== undefined && { status: [status] }),
        },
      },
    },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['RiskModelSummaryList']) => page.cursor,
      placeholderData: keepPreviousData,
    },
  );
  const rows = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  const isFiltered = subject !== undefined || status !== undefined;
  return (
    <Page title={titles['/risk']} lead={t.lead}>
      <Filters clear={isFiltered ? () => apply({ subject: undefined, status: undefined }) : null}>
        <SelectFilter
          label={t.subject}
          value={subject ?? ''}
          apply={(value) => apply({ subject: oneOf(SUBJECTS, value) })}
          options={[['', t.any], ...optionsOf(names.subjects)]}
        />
        <SelectFilter
          label={t.status}
          value={status ?? ''}
          apply={(value) => apply({ status: oneOf(STATUSES, value) })}
          options={[['', t.any], ...optionsOf(names.statuses)]}
        />
      </Filters>
      <LoadedList
        pages={pages}
        count={rows.length}
        empty={
          <Empty title={t.nothing}>
            <p>{t.loosen}</p>
          </Empty>
        }
      >
        <ModelTable rows={rows} />
      </LoadedList>
      {may('listReferenceLists') && <ReferenceLists />}
    </Page>
  );
}
