/** The page of one instance: where it is, what waits in it, what stopped it, its variables and its history. */
import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { More } from '../../ui/more.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Facts, Page, Section } from '../../ui/page.tsx';
import { Drawing } from './drawing.tsx';
import { InstanceActions } from './instance-actions.tsx';
import { InstanceIncidents } from './instance-incidents.tsx';
import { InstanceTasks } from './instance-tasks.tsx';
import { type Instance, INSTANCE_TONES, useWorkflowNames } from './workflow-words.ts';

const words = inLanguages({
  en: {
    diagram: 'Where it is',
    busy: 'A step is being computed. The page shows it in a moment.',
    facts: 'About this instance',
    process: 'Process',
    version: (number: number) => `version ${number}`,
    reference: 'Reference',
    application: 'Application',
    business: 'Company',
    open: 'Open',
    begun: 'Begun',
    ended: 'Ended',
    variables: 'Variables',
    noVariables: 'It has no variables.',
    history: 'History',
    noHistory: 'Nothing has happened yet.',
  },
  pt: {
    diagram: 'Onde está',
    busy: 'Uma etapa está sendo calculada. A página a mostra em um momento.',
    facts: 'Sobre esta instância',
    process: 'Processo',
    version: (number: number) => `versão ${number}`,
    reference: 'Referência',
    application: 'Solicitação',
    business: 'Empresa',
    open: 'Abrir',
    begun: 'Início',
    ended: 'Fim',
    variables: 'Variáveis',
    noVariables: 'Ela não tem variáveis.',
    history: 'Histórico',
    noHistory: 'Nada aconteceu ainda.',
  },
});

/** Interval at which an instance is read again while a step of it is computed. */
const BUSY_MILLISECONDS = 1000;

export function InstancePage() {
  const { workflowInstanceId } = useParams({ from: '/signed-in/workflows/instances/$workflowInstanceId' });
  const query = api.useQuery(
    'get',
    '/v1/workflows/instances/{workflowInstanceId}',
    { params: { path: { workflowInstanceId } } },
    { refetchInterval: ({ state }) => (state.data?.isBusy === true ? BUSY_MILLISECONDS : false) },
  );
  return <Loaded query={query}>{(instance) => <OneInstance instance={instance} />}</Loaded>;
}

function OneInstance({ instance }: { readonly instance: Instance }) {
  const t = useWords(words);
  const names = useWorkflowNames();
  const { id, definitionKey, businessKey, status, isBusy, version, incidentCount } = instance;
  return (
    <Page
      title={businessKey === null ? definitionKey : `${definitionKey} · ${businessKey}`}
      badges={<Badge tone={INSTANCE_TONES[status]}>{names.statuses[status]}</Badge>}
      actions={<InstanceActions instance={instance} />}
    >
      {isBusy && <Notice role="status">{t.busy}</Notice>}
      <Section title={t.diagram}>
        <Drawing of="instance" id={id} version={version} />
      </Section>
      {incidentCount > 0 && <InstanceIncidents instanceId={id} />}
      <InstanceTasks instance={instance} />
      <About instance={instance} />
      <Variables instance={instance} />
      <History instance={instance} />
    </Page>
  );
}

function About({ instance }: { readonly instance: Instance }) {
  const t = useWords(words);
  const format = useRecordFormat(instance.environment);
  const { definitionId, definitionKey, definitionNumber, businessKey, applicationId, businessId } = instance;
  const { startedAt, startedBy, endedAt } = instance;
  return (
    <Section title={t.facts}>
      <Facts
        facts={[
          [
            t.process,
            <Link
              key="process"
              to="/workflows/definitions/$workflowDefinitionId"
              params={{ workflowDefinitionId: definitionId }}
            >
              {definitionKey}, {t.version(definitionNumber)}
            </Link>,
          ],
          ...(businessKey === null ? [] : [[t.reference, businessKey] as const]),
          ...(applicationId === null
            ? []
            : [
                [
                  t.application,
                  <Link key="application" to="/applications/$applicationId" params={{ applicationId }}>
                    {t.open}
                  </Link>,
                ] as const,
              ]),
          ...(businessId === null
            ? []
            : [
                [
                  t.business,
                  <Link key="business" to="/businesses/$businessId" params={{ businessId }}>
                    {t.open}
                  </Link>,
                ] as const,
              ]),
          [t.begun, `${format.dateTime(startedAt)}, ${startedBy.display}`],
          ...(endedAt === null ? [] : [[t.ended, format.dateTime(endedAt)] as const]),
        ]}
      />
    </Section>
  );
}

function Variables({ instance: { variables } }: { readonly instance: Instance }) {
  const t = useWords(words);
  const entries = Object.entries(variables);
  return (
    <Section title={t.variables}>
      {entries.length === 0 ? (
        <p className="muted">{t.noVariables}</p>
      ) : (
        <Facts facts={entries.map(([name, value]) => [name, <code key={name}>{JSON.stringify(value)}</code>])} />
      )}
    </Section>
  );
}

function History({ instance: { id: workflowInstanceId, environment } }: { readonly instance: Instance }) {
  const t = useWords(words);
  const { events } = useWorkflowNames();
  const format = useRecordFormat(environment);
  const pages = api.useInfiniteQuery(
    'get',
    '/v1/workflows/instances/{workflowInstanceId}/history',
    { params: { path: { workflowInstanceId }, query: { limit: 100 } } },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['WorkflowHistoryEntryList']) => page.cursor,
    },
  );
  const rows = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  return (
    <Section title={t.history}>
      <Loaded query={pages}>
        {() =>
          rows.length === 0 ? (
            <p className="muted">{t.noHistory}</p>
          ) : (
            <div className="stack">
              <ol>
                {rows.map(({ id, event, elementId, at }) => (
                  <li key={id}>
                    <code>{elementId}</code> {events[event]}{' '}
                    <time className="muted" dateTime={at}>
                      {format.dateTime(at)}
                    </time>
                  </li>
                ))}
              </ol>
              <More pages={pages} count={rows.length} />
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}
