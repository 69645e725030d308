/** The page `/businesses`, the list of companies. Opened by shell/routes.tsx. */
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { navigationWords } from '../../core/navigation.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { LoadedList } from '../../ui/loaded-list.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { TONES, useNames } from '../applications/words.ts';
import { useBusinessNames } from './business-words.ts';
import { CreateBusiness } from './create-business.tsx';

type Business = Schemas['Business'];

const words = inLanguages({
  en: {
    lead: 'Companies, who owns them, and who may sign for them.',
    caption: 'Companies',
    name: 'Name',
    registration: 'Registration',
    form: 'Legal form',
    level: 'Level',
    status: 'Status',
    updated: 'Changed',
    none: 'No company yet',
    noneHint: 'Record one here, or let your own system do it by the API.',
    record: 'Record a company',
    guide: 'Read the guide',
  },
  pt: {
    lead: 'Empresas, quem as controla e quem pode assinar por elas.',
    caption: 'Empresas',
    name: 'Nome',
    registration: 'Registro',
    form: 'Natureza jurídica',
    level: 'Nível',
    status: 'Situação',
    updated: 'Alterada',
    none: 'Ainda não há empresas',
    noneHint: 'Registre uma aqui, ou deixe o seu sistema fazê-lo pela API.',
    record: 'Registrar uma empresa',
    guide: 'Ler o guia',
  },
});

export function BusinessesPage() {
  const t = useWords(words);
  const { pages: titles } = useWords(navigationWords);
  const mayRecord = useMay()('createBusiness');
  const [recording, setRecording] = useState(false);
  const pages = api.useInfiniteQuery(
    'get',
    '/v1/businesses',
    { params: { query: { limit: 50 } } },
    { initialPageParam: null, getNextPageParam: (page: Schemas['BusinessList']) => page.cursor },
  );
  const rows = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  return (
    <Page
      title={titles['/businesses']}
      lead={t.lead}
      actions={
        mayRecord && (
          <Button look="primary" onClick={() => setRecording(true)}>
            {t.record}
          </Button>
        )
      }
    >
      <LoadedList
        pages={pages}
        count={rows.length}
        empty={
          <Empty title={t.none}>
            <p>{t.noneHint}</p>
            <a className="button" href="/guides/onboarding-a-company">
              {t.guide}
            </a>
          </Empty>
        }
      >
        <BusinessTable rows={rows} />
      </LoadedList>
      {recording && <CreateBusiness close={() => setRecording(false)} />}
    </Page>
  );
}

function BusinessTable({ rows }: { readonly rows: readonly Business[] }) {
  const t = useWords(words);
  const { statuses, levels } = useNames();
  const { forms } = useBusinessNames();
  const format = useRecordFormat();
  const columns = useMemo(() => {
    const column = columnsOf<Business>();
    return [
      column.display({
        id: 'name',
        header: t.name,
        cell: ({
          row: {
            original: { id, legalName },
          },
        }) => (
          <Link to="/businesses/$businessId" params={{ businessId: id }}>
            {legalName}
          </Link>
        ),
      }),
      column.display({
        id: 'registration',
        header: t.registration,
        cell: ({ row: { original } }) => `${original.registration.number} (${original.registration.country})`,
      }),
      column.display({
        id: 'form',
        header: t.form,
        cell: ({ row: { original } }) => forms[original.legalForm],
      }),
      column.display({ id: 'level', header: t.level, cell: ({ row: { original } }) => levels[original.level] }),
      column.display({
        id: 'status',
        header: t.status,
        cell: ({
          row: {
            original: { status },
          },
        }) => <Badge tone={TONES[status]}>{statuses[status]}</Badge>,
      }),
      column.display({
        id: 'updated',
        header: t.updated,
        cell: ({ row: { original } }) => format.dateTime(original.updatedAt),
      }),
    ];
  }, [t, statuses, levels, forms, format]);
  return <DataTable caption={t.caption} rows={rows} columns={columns} rowId={({ id }) => id} />;
}
