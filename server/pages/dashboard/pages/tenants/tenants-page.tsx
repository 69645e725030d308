/** The page `/tenants`, for platform administrators. Opened by shell/routes.tsx. */
import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { navigationWords } from '../../core/navigation.ts';
import { oneOf } from '../../core/search.ts';
import { Button } from '../../ui/button.tsx';
import { Filters, SelectFilter, TextFilter } from '../../ui/filters.tsx';
import { LoadedList } from '../../ui/loaded-list.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { HealthDialog } from './health-dialog.tsx';
import { QuotasDialog } from './quotas-dialog.tsx';
import { StatusDialog } from './status-dialog.tsx';
import { type TenantQuestion, TenantTable } from './tenant-table.tsx';
import { tenantWords } from './tenant-words.ts';
import { SORTS, STATUSES, type TenantsSearch } from './tenants-search.ts';
import './tenants.css';

const words = inLanguages({
  en: {
    lead: 'Every tenant of this installation, what it uses, and how it is doing.',
    create: 'Create a tenant',
    q: 'Name or slug',
    anyStatus: 'Any status',
    order: 'Order',
    newest: 'Newest first',
    byName: 'By name',
    nothing: 'No tenant fits',
    loosen: 'Change or clear the filters to see more tenants.',
  },
  pt: {
    lead: 'Cada inquilino desta instalação, o que usa, e como vai.',
    create: 'Criar um inquilino',
    q: 'Nome ou nome curto',
    anyStatus: 'Qualquer situação',
    order: 'Ordem',
    newest: 'Mais novos primeiro',
    byName: 'Por nome',
    nothing: 'Nenhum inquilino corresponde',
    loosen: 'Mude ou limpe os filtros para ver mais inquilinos.',
  },
});

/** Shows the tenants of the platform to its administrators. */
export function TenantsPage() {
  const t = useWords(words);
  const { pages: titles } = useWords(navigationWords);
  const may = useMay();
  const search = useSearch({ from: '/signed-in/tenants' });
  const [creating, setCreating] = useState(false);
  const [question, setQuestion] = useState<TenantQuestion | null>(null);
  const { q, status, plan, sort = '-createdAt' } = search;
  const tenants = api.useInfiniteQuery(
    'get',
    '/v1/admin/tenants',
    {
      params: {
        query: {
          limit: 50,
          sort,
          ...(q !== undefined && { q }),
          ...(status !== undefined && { status: [status] }),
          ...(plan !== undefined && { plan }),
        },
      },
    },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['TenantList']) => page.cursor,
      placeholderData: keepPreviousData,
    },
  );
  const shown = useMemo(() => tenants.data?.pages.flatMap(({ items }) => items) ?? [], [tenants.data]);
  const close = () => setQuestion(null);

  return (
    <Page
      title={titles['/tenants']}
      lead={t.lead}
      actions={
        may('createTenant') && (
          <Button look="primary" onClick={() => setCreating(true)}>
            {t.create}
          </Button>
        )
      }
    >
      <TenantFilters search={search} />
      <LoadedList
        pages={tenants}
        count={shown.length}
        empty={
          <Empty title={t.nothing}>
            <p>{t.loosen}</p>
          </Empty>
        }
      >
        <TenantTable tenants={shown} ask={setQuestion} />
      </LoadedList>
      {creating && <CreateDialog onClose={() => setCreating(false)} />}
      {question?.action === 'health' && <HealthDialog tenant={question.tenant} onClose={close} />}
      {question?.action === 'quotas' && <QuotasDialog tenant={question.tenant} onClose={close} />}
      {question !== null && question.action !== 'health' && question.action !== 'quotas' && (
        <StatusDialog tenant={question.tenant} wanted={question.action} onClose={close} />
      )}
    </Page>
  );
}

const ANY = '';

function TenantFilters({ search }: { readonly search: TenantsSearch }) {
  const t = useWords(words);
  const { statuses, status, plan } = useWords(tenantWords);
  const navigate = useNavigate({ from: '/tenants' });
  const apply = (changed: Partial<TenantsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false });
  const isFiltered = search.q !== undefined || search.status !== undefined || search.plan !== undefined;
  return (
    <Filters
      clear={
        isFiltered ? () => void navigate({ search: ({ sort }) => ({ sort }), replace: true, resetScroll: false }) : null
      }
    >
      <TextFilter label={t.q} value={search.q ?? ''} apply={(q) => apply({ q: q === '' ? undefined : q })} />
      <SelectFilter
        label={status}
        value={search.status ?? ANY}
        apply={(value) => apply({ status: oneOf(STATUSES, value) })}
        options={[[ANY, t.anyStatus], ...STATUSES.map((value) => [value, statuses[value]] as const)]}
      />
      <TextFilter
        label={plan}
        value={search.plan ?? ''}
        placeholder="standard"
        apply={(value) => apply({ plan: value === '' ? undefined : value })}
      />
      <SelectFilter
        label={t.order}
        value={search.sort ?? ANY}
        apply={(value) => apply({ sort: oneOf(SORTS, value) })}
        options={[
          [ANY, t.newest],
          ['name', t.byName],
        ]}
      />
    </Filters>
  );
}
