/**
 * What is watched of a company that is a customer, when it was last compared, and the alerts about it. Part of
 * business-page.tsx. The run itself is done in the background.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client, type Schemas } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { Problems } from '../../ui/problems.tsx';
import { announce } from '../../ui/toasts.tsx';
import { AlertTable } from '../monitoring/alert-table.tsx';
import { type Alert, useMonitoringNames } from '../monitoring/monitoring-words.ts';
import { TriageDialog } from '../monitoring/triage-dialog.tsx';
import '../monitoring/monitoring.css';

type Subscription = Schemas['SubscriptionSummary'];

interface Words {
  readonly title: string;
  readonly none: string;
  readonly run: string;
  readonly compared: string;
  readonly queued: string;
  readonly quiet: string;
  readonly status: string;
  readonly checks: string;
  readonly last: string;
  readonly next: string;
  readonly never: string;
  readonly every: (days: string) => string;
  readonly result: (time: string, result: string) => string;
  readonly until: (day: string) => string;
  readonly statuses: Readonly<Record<Subscription['status'], string>>;
  readonly results: Readonly<Record<Schemas['RunResult'], string>>;
}

const words = inLanguages<Words>({
  en: {
    title: 'Monitoring',
    none: 'The company is not watched.',
    run: 'Compare now',
    compared: 'The company is compared.',
    queued: 'The company will be compared in a moment.',
    quiet: 'No alerts are open.',
    status: 'State',
    checks: 'Watched',
    last: 'Last compared',
    next: 'Next',
    never: 'Not yet',
    every: (days) => `every ${days} days`,
    result: (time, result) => `${time}: ${result}`,
    until: (day) => `until ${day}`,
    statuses: { active: 'Active', paused: 'Paused', ended: 'Ended' },
    results: {
      clear: 'no hits',
      open_hits: 'open hits',
      confirmed_match: 'a hit is confirmed',
      cleared: 'all hits are decided',
      not_comparable: 'the name cannot be compared',
      failed: 'the registry did not answer',
      unchanged: 'nothing has changed',
      changed: 'something has changed',
      no_registry: 'nothing has changed; there is no registry to ask',
    },
  },
  pt: {
    title: 'Monitoramento',
    none: 'A empresa não é acompanhada.',
    run: 'Comparar agora',
    compared: 'A empresa foi comparada.',
    queued: 'A empresa será comparada em instantes.',
    quiet: 'Nenhum alerta está aberto.',
    status: 'Situação',
    checks: 'Acompanhado',
    last: 'Última comparação',
    next: 'Próxima',
    never: 'Ainda não',
    every: (days) => `a cada ${days} dias`,
    result: (time, result) => `${time}: ${result}`,
    until: (day) => `até ${day}`,
    statuses: { active: 'Ativo', paused: 'Em pausa', ended: 'Encerrado' },
    results: {
      clear: 'sem ocorrências',
      open_hits: 'ocorrências em aberto',
      confirmed_match: 'uma ocorrência foi confirmada',
      cleared: 'todas as ocorrências foram decididas',
      not_comparable: 'o nome não pode ser comparado',
      failed: 'o registro não respondeu',
      unchanged: 'nada mudou',
      changed: 'algo mudou',
      no_registry: 'nada mudou; não há registro a consultar',
    },
  },
});

const TONES: Readonly<Record<Subscription['status'], Tone>> = { active: 'good', paused: 'warning', ended: 'neutral' };

/** Shows the current subscription of a company, otherwise the last one. */
export function Monitoring({ businessId }: { readonly businessId: string }) {
  const t = useWords(words);
  const may = useMay();
  const query = api.useQuery('get', '/v1/monitoring/subscriptions', {
    params: { query: { businessId, limit: 10 } },
  });
  const items = query.data?.items ?? [];
  const subscription = items.find(({ status }) => status !== 'ended') ?? items[0];
  return (
    <Section
      title={t.title}
      id="monitoring"
      actions={subscription?.status === 'active' && may('runSubscription') && <Run subscription={subscription} />}
    >
      <Loaded query={query}>
        {() =>
          subscription === undefined ? (
            <p className="muted">{t.none}</p>
          ) : (
            <div className="stack">
              <State subscription={subscription} />
              <Alerts businessId={businessId} />
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}

function State({
  subscription: { environment, status, checks, schedule, pauseUntil, lastRunAt, lastResult, nextRunAt },
}: {
  readonly subscription: Subscription;
}) {
  const t = useWords(words);
  const { kinds } = useMonitoringNames();
  const format = useRecordFormat(environment);
  const { intervalDays } = schedule;
  const last = lastRunAt === null ? t.never : format.dateTime(lastRunAt);
  const next = [
    nextRunAt === null ? '' : format.day(nextRunAt),
    intervalDays === null ? '' : t.every(format.number(intervalDays)),
  ].filter((part) => part !== '');
  return (
    <Facts
      facts={[
        [
          t.status,
          <span key="status" className="row">
            <Badge tone={TONES[status]}>{t.statuses[status]}</Badge>
            {pauseUntil !== null && t.until(format.day(pauseUntil))}
          </span>,
        ],
        [t.checks, checks.map((check) => kinds[check]).join(', ')],
        [t.last, lastResult === null ? last : t.result(last, t.results[lastResult])],
        ...(status === 'active' ? [[t.next, next.join(', ')] as const] : []),
      ]}
    />
  );
}

/** The alerts about the company that somebody has to deal with. */
function Alerts({ businessId }: { readonly businessId: string }) {
  const t = useWords(words);
  const [triaged, setTriaged] = useState<Alert | null>(null);
  const query = api.useQuery('get', '/v1/monitoring/alerts', {
    params: { query: { businessId, status: ['open', 'acknowledged', 'escalated'], limit: 50 } },
  });
  return (
    <>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? <p className="muted">{t.quiet}</p> : <AlertTable rows={items} ask={setTriaged} />
        }
      </Loaded>
      {triaged !== null && <TriageDialog alert={triaged} close={() => setTriaged(null)} />}
    </>
  );
}

/** Seconds for which the page waits for a run. It continues in the background afterwards. */
const LONGEST_WAIT = 15;

/** Returns whether the run of a subscription has ended within a short time. */
async function hasRun({ id, lastRunAt }: Subscription): Promise<boolean> {
  const params = { path: { subscriptionId: id } };
  for (let second = 0; second < LONGEST_WAIT; second++) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const now = await answerOf(client.GET('/v1/monitoring/subscriptions/{subscriptionId}', { params }));
    if (now.lastRunAt !== lastRunAt) return true;
  }
  return false;
}

/** The button that compares the company at once, and waits a short time for it. A refusal is shown beside it. */
function Run({ subscription }: { readonly subscription: Subscription }) {
  const t = useWords(words);
  const queries = useQueryClient();
  const keyFor = useIdempotencyKey();
  const [runs, setRuns] = useState(0);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { id } = subscription;
  const run = async () => {
    setBusy(true);
    setError(null);
    const params = { path: { subscriptionId: id }, header: { 'Idempotency-Key': keyFor({ id, runs }) } };
    try {
      await answerOf(client.POST('/v1/monitoring/subscriptions/{subscriptionId}/run', { params }));
      setRuns(runs + 1);
      announce((await hasRun(subscription)) ? t.compared : t.queued);
      const [, monitoring] = api.queryOptions('get', '/v1/monitoring/subscriptions').queryKey;
      const [, alerts] = api.queryOptions('get', '/v1/monitoring/alerts').queryKey;
      const shown: readonly unknown[] = [monitoring, alerts];
      await queries.invalidateQueries({ predicate: ({ queryKey }) => shown.includes(queryKey[1]) });
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button small busy={busy} onClick={() => void run()}>
        {t.run}
      </Button>
      {error !== null && <Problems error={error} />}
    </>
  );
}
