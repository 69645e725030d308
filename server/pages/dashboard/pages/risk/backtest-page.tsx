import { Link, useParams, useSearch } from '@tanstack/react-router';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, client } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf, isProblem } from '../../core/problem.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts, Page, Section } from '../../ui/page.tsx';
import { announce } from '../../ui/toasts.tsx';
import { BacktestResults } from './backtest-results.tsx';
import { isUnderway } from './backtests.tsx';
import { useRiskChanged } from './changed.ts';
import { Movers } from './movers.tsx';
import { Progress } from './progress.tsx';
import { PROGRESS_MS } from './reassessment.tsx';
import { type Backtest, BACKTEST_TONES, useRiskNames } from './risk-words.ts';
import './refusals.ts';
import './risk.css';

const words = inLanguages({
  en: {
    unknown: 'There is no such backtest',
    why: 'It may belong to another tenant, or its address is not complete.',
    models: 'To the risk models',
    title: (kind: string, number: number, other: number) => `${kind}: version ${number} against ${other}`,
    stale: 'No longer counts for an activation',
    facts: 'Summary',
    model: 'Model',
    baseline: 'Compared with',
    version: (number: number) => `Version ${number}`,
    applications: 'Applications',
    all: 'All',
    from: (day: string) => `from ${day}`,
    to: (day: string) => `until ${day}`,
    sample: 'At most',
    asked: 'Requested',
    finished: 'Finished',
    ends: 'Ends',
    lists: 'Reference lists',
    progress: 'Progress',
    scored: (done: string, total: string) => `${done} of ${total} scored.`,
    failed: 'The backtest failed. Start it again.',
    cancelled: 'The backtest was cancelled and has no results.',
    noResults: 'There are no results yet.',
    cancel: 'Cancel the backtest',
    cancelText: 'The backtest stops and has no results.',
    isCancelled: 'The backtest is cancelled.',
  },
  pt: {
    unknown: 'Este teste não existe',
    why: 'Ele pode ser de outro inquilino, ou o endereço está incompleto.',
    models: 'Para os modelos de risco',
    title: (kind: string, number: number, other: number) => `${kind}: versão ${number} contra ${other}`,
    stale: 'Não vale mais para uma ativação',
    facts: 'Resumo',
    model: 'Modelo',
    baseline: 'Comparado com',
    version: (number: number) => `Versão ${number}`,
    applications: 'Solicitações',
    all: 'Todas',
    from: (day: string) => `desde ${day}`,
    to: (day: string) => `até ${day}`,
    sample: 'No máximo',
    asked: 'Pedido',
    finished: 'Concluído',
    ends: 'Termina',
    lists: 'Listas de referência',
    progress: 'Andamento',
    scored: (done: string, total: string) => `${done} de ${total} pontuados.`,
    failed: 'O teste falhou. Inicie outro.',
    cancelled: 'O teste foi cancelado e não tem resultados.',
    noResults: 'Ainda não há resultados.',
    cancel: 'Cancelar o teste',
    cancelText: 'O teste para e não tem resultados.',
    isCancelled: 'O teste está cancelado.',
  },
});

/** Shows a backtest or a shadow run: its progress, what would change, and the subjects that would move. */
export function BacktestPage() {
  const t = useWords(words);
  const { backtestId } = useParams({ from: '/signed-in/risk/backtests/$backtestId' });
  const { from, to } = useSearch({ from: '/signed-in/risk/backtests/$backtestId' });
  const pages = api.useInfiniteQuery(
    'get',
    '/v1/risk/backtests/{backtestId}',
    {
      params: {
        path: { backtestId },
        query: { limit: 50, ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
      },
    },
    {
      initialPageParam: null,
      getNextPageParam: (page: Backtest) => page.movers?.cursor ?? null,
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) =>
        state.data?.pages[0] !== undefined && isUnderway(state.data.pages[0]) ? PROGRESS_MS : false,
    },
  );
  const { data, error } = pages;
  if (data === undefined && isProblem(error) && [400, 404].includes(error.status))
    return (
      <Page title={t.unknown} lead={t.why}>
        <p>
          <ButtonLink to="/risk">{t.models}</ButtonLink>
        </p>
      </Page>
    );
  return (
    <Loaded query={pages}>
      {({ pages: [first, ...rest] }) =>
        first === undefined ? null : (
          <OneBacktest backtest={first}>
            <Movers
              backtestId={backtestId}
              rows={[first, ...rest].flatMap(({ movers }) => movers?.items ?? [])}
              pages={pages}
            />
          </OneBacktest>
        )
      }
    </Loaded>
  );
}

function OneBacktest({ backtest, children }: { readonly backtest: Backtest; readonly children: ReactNode }) {
  const t = useWords(words);
  const names = useRiskNames();
  const format = useRecordFormat(backtest.environment);
  const { kind, status, isStale, modelNumber, baselineModelNumber, results, done, total } = backtest;
  return (
    <Page
      title={t.title(names.kinds[kind], modelNumber, baselineModelNumber)}
      badges={
        <>
          <Badge tone={BACKTEST_TONES[status]}>{names.backtests[status]}</Badge>
          {isStale && <Badge tone="warning">{t.stale}</Badge>}
        </>
      }
      actions={<Cancel backtest={backtest} />}
    >
      <div className="columns">
        <div className="stack">
          {isUnderway(backtest) && (
            <Section title={t.progress}>
              <Progress label={t.progress} done={done} total={total} />
              <p>{t.scored(format.number(done), format.number(total))}</p>
            </Section>
          )}
          {status === 'failed' && <p>{t.failed}</p>}
          {status === 'cancelled' && <p>{t.cancelled}</p>}
          {results === null && kind === 'shadow' && <p>{t.noResults}</p>}
          {results !== null && (
            <>
              <BacktestResults backtestId={backtest.id} results={results} />
              {children}
            </>
          )}
        </div>
        <BacktestFacts backtest={backtest} />
      </div>
    </Page>
  );
}

function Cancel({ backtest }: { readonly backtest: Backtest }) {
  const t = useWords(words);
  const may = useMay();
  const changed = useRiskChanged();
  const [asked, setAsked] = useState(false);
  const run = async () => {
    const params = { path: { backtestId: backtest.id } };
    await answerOf(client.POST('/v1/risk/backtests/{backtestId}/cancel', { params }));
    await changed();
    announce(t.isCancelled);
  };
  if (!(asked || (isUnderway(backtest) && may('cancelRiskBacktest')))) return null;
  return (
    <>
      <Button onClick={() => setAsked(true)}>{t.cancel}</Button>
      {asked && (
        <ConfirmDialog title={t.cancel} action={t.cancel} danger run={run} onClose={() => setAsked(false)}>
          <p>{t.cancelText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function BacktestFacts({ backtest }: { readonly backtest: Backtest }) {
  const t = useWords(words);
  const format = useRecordFormat(backtest.environment);
  const { modelId, modelNumber, baselineModelId, baselineModelNumber, population, lists } = backtest;
  const { createdAt, createdBy, completedAt, endsAt } = backtest;
  const days = [
    ...(population?.from === undefined ? [] : [t.from(format.day(population.from))]),
    ...(population?.to === undefined ? [] : [t.to(format.day(population.to))]),
  ];
  const version = (id: string, number: number) => (
    <Link to="/risk/models/$modelId" params={{ modelId: id }}>
      {t.version(number)}
    </Link>
  );
  return (
    <Section title={t.facts}>
      <Facts
        facts={[
          [t.model, version(modelId, modelNumber)],
          [t.baseline, version(baselineModelId, baselineModelNumber)],
          ...(population === null ? [] : [[t.applications, days.join(', ') || t.all] as const]),
          ...(population?.sample === undefined ? [] : [[t.sample, format.number(population.sample)] as const]),
          [t.asked, `${format.dateTime(createdAt)}, ${createdBy.display}`],
          ...(completedAt === null ? [] : [[t.finished, format.dateTime(completedAt)] as const]),
          ...(endsAt === null || completedAt !== null ? [] : [[t.ends, format.dateTime(endsAt)] as const]),
          ...(lists.length === 0
            ? []
            : [[t.lists, lists.map(({ listId, number }) => `${listId} ${number}`).join(', ')] as const]),
        ]}
      />
    </Section>
  );
}
