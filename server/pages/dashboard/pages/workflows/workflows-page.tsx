/** The page `/workflows`: processes and decision tables with their versions, and the instances. */
import { keepPreviousData } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { navigationWords } from '../../core/navigation.ts';
import { oneOf } from '../../core/search.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Filters, SelectFilter } from '../../ui/filters.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { More } from '../../ui/more.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { Upload } from './upload.tsx';
import { DEFINITION_TONES, INSTANCE_TONES, useWorkflowNames } from './workflow-words.ts';
import { STATUSES, type WorkflowsSearch } from './workflows-search.ts';

type ListedDefinition = Schemas['WorkflowDefinitionSummary'];
type ListedInstance = Schemas['WorkflowInstanceSummary'];

const words = inLanguages({
  en: {
    lead: 'Processes that run by themselves, and what they are doing now.',
    upload: 'Upload a process',
    definitions: 'Processes and decision tables',
    noDefinition: 'Nothing has been uploaded',
    begin: 'Draw a process in your modeler and upload its file.',
    instances: 'Instances',
    noInstance: 'No instance fits',
    start: 'Instances are started by your systems or by a colleague, through the API.',
    name: 'Name',
    version: 'Version',
    kind: 'Kind',
    status: 'Status',
    uploaded: 'Uploaded',
    process: 'Process',
    reference: 'Reference',
    begun: 'Begun',
    stopped: 'stopped',
    any: 'Any',
    incidents: 'Incidents',
    onlyStopped: 'Stopped only',
  },
  pt: {
    lead: 'Processos que andam sozinhos, e o que fazem agora.',
    upload: 'Enviar um processo',
    definitions: 'Processos e tabelas de decisão',
    noDefinition: 'Nada foi enviado',
    begin: 'Desenhe um processo no seu modelador e envie o arquivo.',
    instances: 'Instâncias',
    noInstance: 'Nenhuma instância corresponde',
    start: 'Instâncias são iniciadas pelos seus sistemas ou por um colega, pela API.',
    name: 'Nome',
    version: 'Versão',
    kind: 'Tipo',
    status: 'Situação',
    uploaded: 'Enviado',
    process: 'Processo',
    reference: 'Referência',
    begun: 'Início',
    stopped: 'parado',
    any: 'Qualquer',
    incidents: 'Incidentes',
    onlyStopped: 'Só os parados',
  },
});

export function WorkflowsPage() {
  const t = useWords(words);
  const may = useMay();
  const { pages: titles } = useWords(navigationWords);
  const [uploading, setUploading] = useState(false);
  return (
    <Page
      title={titles['/workflows']}
      lead={t.lead}
      actions={
        may('createWorkflowDefinition') && (
          <Button look="primary" onClick={() => setUploading(true)}>
            {t.upload}
          </Button>
        )
      }
    >
      <Definitions />
      <Instances />
      {uploading && <Upload close={() => setUploading(false)} />}
    </Page>
  );
}

function Definitions() {
  const t = useWords(words);
  const pages = api.useInfiniteQuery(
    'get',
    '/v1/workflows/definitions',
    { params: { query: { limit: 50 } } },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['WorkflowDefinitionSummaryList']) => page.cursor,
    },
  );
  const rows = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  return (
    <Section title={t.definitions}>
      <Loaded query={pages}>
        {() =>
          rows.length === 0 ? (
            <Empty title={t.noDefinition}>
              <p>{t.begin}</p>
            </Empty>
          ) : (
            <div className="stack">
              <DefinitionTable rows={rows} />
              <More pages={pages} count={rows.length} />
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}

function DefinitionTable({ rows }: { readonly rows: readonly ListedDefinition[] }) {
  const t = useWords(words);
  const names = useWorkflowNames();
  const format = useRecordFormat();
  const columns = useMemo(() => {
    const column = columnsOf<ListedDefinition>();
    return [
      column.display({
        id: 'name',
        header: t.name,
        cell: ({ row: { original } }) => (
          <Link to="/workflows/definitions/$workflowDefinitionId" params={{ workflowDefinitionId: original.id }}>
            {original.name ?? original.key}
          </Link>
        ),
      }),
      column.display({ id: 'version', header: t.version, cell: ({ row: { original } }) => String(original.number) }),
      column.display({ id: 'kind', header: t.kind, cell: ({ row: { original } }) => names.kinds[original.kind] }),
      column.display({
        id: 'status',
        header: t.status,
        cell: ({ row: { original } }) => (
          <Badge tone={DEFINITION_TONES[original.status]}>{names.definitionStatuses[original.status]}</Badge>
        ),
      }),
      column.display({
        id: 'uploaded',
        header: t.uploaded,
        cell: ({ row: { original } }) => (
          <time dateTime={original.createdAt} title={format.dateTime(original.createdAt)}>
            {format.relative(original.createdAt)}
          </time>
        ),
      }),
    ];
  }, [t, names, format]);
  return <DataTable caption={t.definitions} rows={rows} columns={columns} rowId={({ id }) => id} />;
}

function Instances() {
  const t = useWords(words);
  const search = useSearch({ from: '/signed-in/workflows' });
  const { status, stopped } = search;
  const query = {
    limit: 50,
    ...(status !== undefined && { status: [status] }),
    ...(stopped !== undefined && { hasIncident: true }),
  };
  const pages = api.useInfiniteQuery(
    'get',
    '/v1/workflows/instances',
    { params: { query } },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['WorkflowInstanceSummaryList']) => page.cursor,
      placeholderData: keepPreviousData,
    },
  );
  const rows = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  return (
    <Section title={t.instances}>
      <InstanceFilters search={search} />
      <Loaded query={pages}>
        {() =>
          rows.length === 0 ? (
            <Empty title={t.noInstance}>
              <p>{t.start}</p>
            </Empty>
          ) : (
            <div className="stack" aria-busy={pages.isPlaceholderData}>
              <InstanceTable rows={rows} />
              <More pages={pages} count={rows.length} />
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}

const ANY = '';

function InstanceFilters({ search }: { readonly search: WorkflowsSearch }) {
  const t = useWords(words);
  const names = useWorkflowNames();
  const navigate = useNavigate({ from: '/workflows' });
  const apply = (changed: WorkflowsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false });
  const clear = () => void navigate({ search: {}, replace: true, resetScroll: false });
  const isFiltered = search.status !== undefined || search.stopped !== undefined;
  return (
    <Filters clear={isFiltered ? clear : null}>
      <SelectFilter
        label={t.status}
        value={search.status ?? ANY}
        apply={(value) => apply({ status: oneOf(STATUSES, value) })}
        options={[[ANY, t.any], ...STATUSES.map((value) => [value, names.statuses[value]] as const)]}
      />
      <SelectFilter
        label={t.incidents}
        value={search.stopped ?? ANY}
        apply={(value) => apply({ stopped: oneOf(['true'], value) })}
        options={[
          [ANY, t.any],
          ['true', t.onlyStopped],
        ]}
      />
    </Filters>
  );
}

function InstanceTable({ rows }: { readonly rows: readonly ListedInstance[] }) {
  const t = useWords(words);
  const names = useWorkflowNames();
  const format = useRecordFormat();
  const columns = useMemo(() => {
    const column = columnsOf<ListedInstance>();
    return [
      column.display({
        id: 'process',
        header: t.process,
        cell: ({ row: { original } }) => (
          <Link to="/workflows/instances/$workflowInstanceId" params={{ workflowInstanceId: original.id }}>
            {original.definitionKey} · {original.definitionNumber}
          </Link>
        ),
      }),
      column.display({
        id: 'reference',
        header: t.reference,
        cell: ({ row: { original } }) => original.businessKey ?? '–',
      }),
      column.display({
        id: 'status',
        header: t.status,
        cell: ({ row: { original } }) => (
          <span className="row">
            <Badge tone={INSTANCE_TONES[original.status]}>{names.statuses[original.status]}</Badge>
            {original.incidentCount > 0 && <Badge tone="danger">{t.stopped}</Badge>}
          </span>
        ),
      }),
      column.display({
        id: 'begun',
        header: t.begun,
        cell: ({ row: { original } }) => (
          <time dateTime={original.startedAt} title={format.dateTime(original.startedAt)}>
            {format.relative(original.startedAt)}
          </time>
        ),
      }),
    ];
  }, [t, names, format]);
  return <DataTable caption={t.instances} rows={rows} columns={columns} rowId={({ id }) => id} />;
}
