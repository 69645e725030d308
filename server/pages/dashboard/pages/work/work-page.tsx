import { keepPreviousData } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { navigationWords } from '../../core/navigation.ts';
import { oneOf } from '../../core/search.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Filters, SelectFilter } from '../../ui/filters.tsx';
import { LoadedList } from '../../ui/loaded-list.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { nameOf } from '../applications/words.ts';
import { useCaseNames } from '../cases/case-words.ts';
import { TakeNext } from '../cases/take-next.tsx';
import { useMonitoringNames } from '../monitoring/monitoring-words.ts';
import { ListOfVersion } from '../risk/list-of-version.tsx';
import { KINDS, type WorkItem, workWords } from './work-words.ts';

const links = inLanguages({
  en: { open: 'Application', business: 'Business' },
  pt: { open: 'Solicitação', business: 'Empresa' },
});

/** Shows what waits for the signed-in user, of all kinds of records, and takes the next case of the queues. */
export function WorkPage() {
  const t = useWords(workWords);
  const { pages: titles } = useWords(navigationWords);
  const { kind } = useSearch({ from: '/signed-in/work' });
  const navigate = useNavigate({ from: '/work' });
  const pages = api.useInfiniteQuery(
    'get',
    '/v1/work',
    { params: { query: { limit: 50, ...(kind !== undefined && { kind: [kind] }) } } },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['WorkItemList']) => page.cursor,
      placeholderData: keepPreviousData,
    },
  );
  const rows = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  const choose = (chosen: string) =>
    void navigate({ search: { kind: oneOf(KINDS, chosen) }, replace: true, resetScroll: false });
  return (
    <Page
      title={titles['/work']}
      lead={t.lead}
      actions={
        <>
          <ButtonLink to="/cases">{t.cases}</ButtonLink>
          <TakeNext />
        </>
      }
    >
      <Filters clear={kind === undefined ? null : () => choose('')}>
        <SelectFilter
          label={t.kind}
          value={kind ?? ''}
          apply={choose}
          options={[['', t.any], ...KINDS.map((value) => [value, t.kinds[value]] as const)]}
        />
      </Filters>
      <LoadedList
        pages={pages}
        count={rows.length}
        empty={
          <Empty title={t.nothing}>
            <p>{t.quiet}</p>
          </Empty>
        }
      >
        <WorkTable rows={rows} />
      </LoadedList>
    </Page>
  );
}

function WorkTable({ rows }: { readonly rows: readonly WorkItem[] }) {
  const t = useWords(workWords);
  const l = useWords(links);
  const format = useRecordFormat();
  const { types, outcomes } = useCaseNames();
  const { kinds: alertKinds } = useMonitoringNames();
  const columns = useMemo(() => {
    const column = columnsOf<WorkItem>();
    const reasons: Readonly<Record<string, string>> = {
      ...types,
      ...alertKinds,
      ...outcomes,
      ...t.definitions,
    };
    return [
      column.display({
        id: 'what',
        header: t.what,
        cell: ({ row: { original } }) => (
          <ToRecord item={original}>
            {nameOf(t.kinds, original.kind)}: {nameOf(reasons, original.reason)}
          </ToRecord>
        ),
      }),
      column.display({
        id: 'about',
        header: t.about,
        cell: ({
          row: {
            original: { applicationId, businessId },
          },
        }) => {
          if (applicationId !== null)
            return (
              <Link to="/applications/$applicationId" params={{ applicationId }}>
                {l.open}
              </Link>
            );
          if (businessId === null) return '–';
          return (
            <Link to="/businesses/$businessId" params={{ businessId }}>
              {l.business}
            </Link>
          );
        },
      }),
      column.display({
        id: 'since',
        header: t.since,
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
      column.display({
        id: 'due',
        header: t.due,
        cell: ({
          row: {
            original: { dueAt, overdue },
          },
        }) =>
          dueAt === null ? (
            t.noDate
          ) : (
            <span className="row">
              <time dateTime={dueAt}>{format.dateTime(dueAt)}</time>
              {overdue && <Badge tone="danger">{t.late}</Badge>}
            </span>
          ),
      }),
    ];
  }, [t, l, format, types, outcomes, alertKinds]);
  return <DataTable caption={t.caption} rows={rows} columns={columns} rowId={({ kind, id }) => `${kind}/${id}`} />;
}

/** Links to the page where the record is worked on. */
function ToRecord({
  item: { kind, id, parentId, applicationId, businessId, reason },
  children,
}: {
  readonly item: WorkItem;
  readonly children: ReactNode;
}) {
  if (kind === 'case' || kind === 'resolution') {
    const caseId = kind === 'case' ? id : (parentId ?? id);
    return (
      <Link to="/cases/$caseId" params={{ caseId }}>
        {children}
      </Link>
    );
  }
  if (kind === 'hit' && parentId !== null)
    return (
      <Link to="/screenings/$screeningId" params={{ screeningId: parentId }} hash={id}>
        {children}
      </Link>
    );
  if (kind === 'alert') return <Link to="/monitoring">{children}</Link>;
  if (kind === 'decision' && applicationId !== null)
    return (
      <Link to="/applications/$applicationId" params={{ applicationId }} hash="decisions">
        {children}
      </Link>
    );
  if (kind === 'decision' && businessId !== null)
    return (
      <Link to="/businesses/$businessId" params={{ businessId }} hash="decisions">
        {children}
      </Link>
    );
  if (kind === 'activation' && parentId !== null && reason === 'risk_model')
    return (
      <Link to="/risk/models/$modelId" params={{ modelId: parentId }}>
        {children}
      </Link>
    );
  if (kind === 'activation' && parentId !== null && reason === 'reference_list')
    return <ListOfVersion versionId={parentId}>{children}</ListOfVersion>;
  if (kind === 'activation' && parentId !== null)
    return (
      <Link to="/workflows/definitions/$workflowDefinitionId" params={{ workflowDefinitionId: parentId }}>
        {children}
      </Link>
    );
  if (kind === 'workflow_task' && parentId !== null)
    return (
      <Link to="/workflows/instances/$workflowInstanceId" params={{ workflowInstanceId: parentId }}>
        {children}
      </Link>
    );
  return <>{children}</>;
}
