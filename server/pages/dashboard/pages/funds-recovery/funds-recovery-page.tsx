/**
 * The page `/funds-recovery`. Opened by shell/routes.tsx. It reads again by itself, more often while a scenario runs,
 * and slower when the service asks for that.
 */
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useAhead } from '../../core/business-clock.ts';
import { useCurrent, useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { navigationWords } from '../../core/navigation.ts';
import { explain, isProblem } from '../../core/problem.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { More } from '../../ui/more.tsx';
import { Empty, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { FaultForm } from './fault-form.tsx';
import { PlayForm } from './play-form.tsx';
import { RecoveryCard } from './recovery-card.tsx';
import { RecoveryCounts } from './recovery-counts.tsx';
import { RecoveryFilters } from './recovery-filters.tsx';
import { isFiltered, parametersOf, type RecoverySearch } from './recovery-search.ts';
import { RunClock } from './run-clock.tsx';
import './funds-recovery.css';

const words = inLanguages({
  en: {
    lead: 'Payments that were disputed for fraud, and what became of the money.',
    live: 'These are live recoveries.',
    toPlay: 'To play through one, switch on the',
    sandbox: 'Sandbox',
    recoveries: 'Recoveries',
    directory: 'Directory of the sandbox',
    nothingYet: 'Nothing has happened yet',
    playOne: 'Play a scenario to see a recovery from its first event to its last.',
    wait: 'No recovery has concerned you so far.',
    nothingFits: 'Nothing fits',
    loosen: 'Change or clear the filters to see more.',
    play: 'Play a scenario',
    clock: 'Clock of the sandbox',
    faults: 'Let something go wrong',
  },
  pt: {
    lead: 'Pagamentos contestados por fraude, e o que foi feito dos valores.',
    live: 'Estas são recuperações de produção.',
    toPlay: 'Para simular uma, ligue o',
    sandbox: 'Sandbox',
    recoveries: 'Recuperações',
    directory: 'Diretório do sandbox',
    nothingYet: 'Nada aconteceu ainda',
    playOne: 'Simule um cenário para ver uma recuperação do primeiro ao último evento.',
    wait: 'Nenhuma recuperação envolveu você até agora.',
    nothingFits: 'Nada corresponde',
    loosen: 'Mude ou limpe os filtros para ver mais.',
    play: 'Simular um cenário',
    clock: 'Relógio do sandbox',
    faults: 'Deixar algo dar errado',
  },
});

/** Polling intervals while a scenario is running and otherwise, and the time after an action that counts as running. */
const SOON_MS = 1500;
const LATER_MS = 10_000;
const LIVELY_MS = 120_000;

/** Shows the progress of fund recoveries and, in the sandbox, controls for its directory. */
export function FundsRecoveryPage() {
  const t = useWords(words);
  const { pages: titles } = useWords(navigationWords);
  const search = useSearch({ from: '/signed-in/funds-recovery' });
  const navigate = useNavigate({ from: '/funds-recovery' });
  const may = useMay();
  const current = useCurrent();
  const environment = search.environment ?? current.environment;
  const livelyUntil = useRef(0);
  const set = useCallback(
    (changed: RecoverySearch) =>
      void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false }),
    [navigate],
  );

  const query = parametersOf(search, environment, may('downloadDocument'));
  // Searches for a tax number are counted, so they are not repeated automatically.
  const isLookup = query.taxId !== undefined;

  // Reads the list and the timelines, never the feed, because the page must not acknowledge events.
  const pages = api.useInfiniteQuery(
    'get',
    '/api/v1/funds-recovery',
    { params: { query: { ...query, limit: 10 } } },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['FundsRecoveryRecordList']) => page.cursor,
      refetchInterval: ({ state: { error } }) => {
        if (isLookup) return false;
        if (isProblem(error)) return (error.retryAfter ?? 0) * 1000 + LATER_MS;
        return Date.now() < livelyUntil.current ? SOON_MS : LATER_MS;
      },
    },
  );
  const recoveries = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  // Deadlines are relative to the clock of the environment.
  const now = Date.now() + useAhead(environment, LATER_MS);
  const stir = useCallback(() => {
    livelyUntil.current = Date.now() + LIVELY_MS;
    void pages.refetch();
  }, [pages.refetch]);
  const plays = environment === 'sandbox' && current.environment === 'sandbox' && may('startRecoveryScenario');

  return (
    <Page title={titles['/funds-recovery']} lead={t.lead}>
      {environment === 'live' && (
        <Notice>
          {t.live}{' '}
          {current.environment === 'live' && may('enableSandbox') && (
            <>
              {t.toPlay} <Link to="/sandbox">{t.sandbox}</Link>.
            </>
          )}
        </Notice>
      )}
      <div className={plays ? 'columns' : undefined}>
        <section className="stack" aria-label={t.recoveries}>
          <RecoveryFilters search={search} set={set} />
          <RecoveryCounts query={query} every={isLookup ? false : LATER_MS} />
          <div role="status" className="recovery-trouble">
            {pages.isRefetchError && <Notice tone="error">{explain(pages.error)}</Notice>}
          </div>
          <Loaded query={pages}>
            {() =>
              recoveries.length === 0 ? (
                <NoRecoveries search={search} environment={environment} />
              ) : (
                <div className="stack">
                  {recoveries.map((recovery) => (
                    <RecoveryCard
                      key={recovery.id}
                      recovery={recovery}
                      named={recovery.id === search.recovery}
                      now={now}
                    />
                  ))}
                  <More pages={pages} count={recoveries.length} />
                </div>
              )
            }
          </Loaded>
        </section>
        {plays && <Controls runId={search.run} set={set} stir={stir} />}
      </div>
    </Page>
  );
}

function NoRecoveries({
  search,
  environment,
}: {
  readonly search: RecoverySearch;
  readonly environment: Schemas['Environment'];
}) {
  const t = useWords(words);
  if (isFiltered(search))
    return (
      <Empty title={t.nothingFits}>
        <p>{t.loosen}</p>
      </Empty>
    );
  return (
    <Empty title={t.nothingYet}>
      <p>{environment === 'sandbox' ? t.playOne : t.wait}</p>
    </Empty>
  );
}

/** Controls of the sandbox directory. They are collapsed on a narrow screen, so that the recoveries come first. */
function Controls({
  runId,
  set,
  stir,
}: {
  readonly runId: string | undefined;
  readonly set: (changed: RecoverySearch) => void;
  readonly stir: () => void;
}) {
  const t = useWords(words);
  const may = useMay();
  const scenarios = api.useQuery('get', '/v1/sandbox/funds-recovery/scenarios', {}, { staleTime: Infinity });
  const [isWide] = useState(() => matchMedia('(min-width: 72rem)').matches);
  const start = (run: Schemas['ScenarioRun']) => {
    set({
      run: run.runId,
      recovery: run.fundsRecoveryId ?? undefined,
      status: undefined,
      role: undefined,
      payment: undefined,
      counterparty: undefined,
      taxId: undefined,
    });
    stir();
  };
  return (
    <aside className="stack recovery-controls" aria-label={t.directory}>
      <details className="card" open={isWide}>
        <summary>{t.play}</summary>
        <Loaded query={scenarios}>{(known) => <PlayForm scenarios={known.scenarios} onStart={start} />}</Loaded>
      </details>
      {runId !== undefined && (
        <section className="card stack" aria-label={t.clock}>
          <h2>{t.clock}</h2>
          <RunClock runId={runId} onAdvance={stir} />
        </section>
      )}
      {may('armDirectoryFault') && (
        <details className="card">
          <summary>{t.faults}</summary>
          <FaultForm />
        </details>
      )}
    </aside>
  );
}
