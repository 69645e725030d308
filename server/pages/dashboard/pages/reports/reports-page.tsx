/** The page `/cases/reports`, for compliance officers only. Others see what an unknown case shows. */
import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { navigationWords } from '../../core/navigation.ts';
import { oneOf } from '../../core/search.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Filters, SelectFilter } from '../../ui/filters.tsx';
import { LoadedList } from '../../ui/loaded-list.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { UnknownCase } from '../cases/unknown-case.tsx';
import { NonOccurrence } from './non-occurrence.tsx';
import { ReportTable } from './report-table.tsx';
import { useReportNames } from './report-words.ts';
import { KINDS, reportParameters, type ReportsSearch, STATUSES } from './reports-search.ts';

const words = inLanguages({
  en: {
    lead: 'Reports to the authority and until when the law wants them. Only compliance officers know that they exist.',
    log: 'Sealed log',
    nothingOccurred: 'Declare that nothing occurred',
    status: 'Status',
    kind: 'Kind',
    any: 'Any',
    due: 'Deadline',
    late: 'Missed only',
    nothing: 'No report has been begun',
    begin: 'A report is prepared on the page of a case.',
    nothingFits: 'Nothing fits',
    loosen: 'Change or clear the filters to see more.',
  },
  pt: {
    lead: 'Comunicações à autoridade e seus prazos legais. Só os responsáveis por compliance sabem que existem.',
    log: 'Trilha lacrada',
    nothingOccurred: 'Declarar não ocorrência',
    status: 'Situação',
    kind: 'Tipo',
    any: 'Qualquer',
    due: 'Prazo',
    late: 'Só as com prazo perdido',
    nothing: 'Nenhuma comunicação foi iniciada',
    begin: 'Uma comunicação é preparada na página de um caso.',
    nothingFits: 'Nada corresponde',
    loosen: 'Mude ou limpe os filtros para ver mais.',
  },
});

const ANY = '';

export function ReportsPage() {
  const may = useMay();
  return may('listReports') ? <Reports /> : <UnknownCase />;
}

function Reports() {
  const t = useWords(words);
  const { pages: titles } = useWords(navigationWords);
  const [declaring, setDeclaring] = useState(false);
  const search = useSearch({ from: '/signed-in/cases/reports' });
  const pages = api.useInfiniteQuery(
    'get',
    '/v1/cases/reports',
    { params: { query: reportParameters(search) } },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['ReportList']) => page.cursor,
      placeholderData: keepPreviousData,
    },
  );
  const rows = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  const filtered = isFiltered(search);
  return (
    <Page
      title={titles['/cases/reports']}
      lead={t.lead}
      actions={
        <>
          <ButtonLink to="/cases/reports/log">{t.log}</ButtonLink>
          <Button onClick={() => setDeclaring(true)}>{t.nothingOccurred}</Button>
        </>
      }
    >
      <ReportFilters search={search} />
      <LoadedList
        pages={pages}
        count={rows.length}
        empty={
          <Empty title={filtered ? t.nothingFits : t.nothing}>
            <p>{filtered ? t.loosen : t.begin}</p>
          </Empty>
        }
      >
        <ReportTable rows={rows} />
      </LoadedList>
      {declaring && <NonOccurrence close={() => setDeclaring(false)} />}
    </Page>
  );
}

function isFiltered(search: ReportsSearch): boolean {
  return Object.values(search).some((value) => value !== undefined);
}

function ReportFilters({ search }: { readonly search: ReportsSearch }) {
  const t = useWords(words);
  const names = useReportNames();
  const navigate = useNavigate({ from: '/cases/reports' });
  const apply = (changed: ReportsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false });
  const clear = () => void navigate({ search: {}, replace: true, resetScroll: false });
  return (
    <Filters clear={isFiltered(search) ? clear : null}>
      <SelectFilter
        label={t.kind}
        value={search.kind ?? ANY}
        apply={(value) => apply({ kind: oneOf(KINDS, value) })}
        options={[[ANY, t.any], ...KINDS.map((value) => [value, names.kinds[value]] as const)]}
      />
      <SelectFilter
        label={t.status}
        value={search.status ?? ANY}
        apply={(value) => apply({ status: oneOf(STATUSES, value) })}
        options={[[ANY, t.any], ...STATUSES.map((value) => [value, names.statuses[value]] as const)]}
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
    </Filters>
  );
}
