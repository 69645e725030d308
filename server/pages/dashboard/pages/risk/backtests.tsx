import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { More } from '../../ui/more.tsx';
import { Section } from '../../ui/page.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import type { Schemas } from '../../core/api.ts';
import { PROGRESS_MS } from './reassessment.tsx';
import { type Backtest, BACKTEST_TONES, type Model, useRiskNames } from './risk-words.ts';

const words = inLanguages({
  en: {
    title: 'Backtests',
    none: 'This version was not compared with another yet.',
    kind: 'Comparison',
    status: 'Status',
    baseline: 'Compared with',
    scored: 'Scored',
    moved: 'Other level',
    version: (number: number) => `Version ${number}`,
    stale: 'no longer counts',
  },
  pt: {
    title: 'Testes retroativos',
    none: 'Esta versão ainda não foi comparada com outra.',
    kind: 'Comparação',
    status: 'Situação',
    baseline: 'Comparada com',
    scored: 'Pontuados',
    moved: 'Outro nível',
    version: (number: number) => `Versão ${number}`,
    stale: 'não vale mais',
  },
});

/** Whether a comparison is still being worked on in the background. A shadow run only grows with new assessments. */
export function isUnderway({ kind, status }: Pick<Backtest, 'kind' | 'status'>): boolean {
  return kind === 'backtest' && (status === 'queued' || status === 'running');
}

/** Lists the backtests and shadow runs of a version. */
export function Backtests({ model: { id } }: { readonly model: Model }) {
  const t = useWords(words);
  const pages = api.useInfiniteQuery(
    'get',
    '/v1/risk/models/{modelId}/backtests',
    { params: { path: { modelId: id }, query: { limit: 10 } } },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['RiskBacktestList']) => page.cursor,
      refetchInterval: ({ state }) =>
        state.data?.pages.some(({ items }) => items.some(isUnderway)) === true ? PROGRESS_MS : false,
    },
  );
  const rows = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  return (
    <Section title={t.title} id="backtests">
      <Loaded query={pages}>
        {() =>
          rows.length === 0 ? (
            <p className="muted">{t.none}</p>
          ) : (
            <>
              <BacktestTable rows={rows} />
              <More pages={pages} count={rows.length} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function BacktestTable({ rows }: { readonly rows: readonly Backtest[] }) {
  const t = useWords(words);
  const names = useRiskNames();
  const format = useRecordFormat();
  const columns = useMemo(() => {
    const column = columnsOf<Backtest>();
    return [
      column.display({
        id: 'kind',
        header: t.kind,
        cell: ({
          row: {
            original: { id, kind, createdAt },
          },
        }) => (
          <Link to="/risk/backtests/$backtestId" params={{ backtestId: id }}>
            {names.kinds[kind]}, {format.dateTime(createdAt)}
          </Link>
        ),
      }),
      column.display({
        id: 'status',
        header: t.status,
        cell: ({
          row: {
            original: { status, isStale },
          },
        }) => (
          <span className="row">
            <Badge tone={BACKTEST_TONES[status]}>{names.backtests[status]}</Badge>
            {isStale && <Badge tone="warning">{t.stale}</Badge>}
          </span>
        ),
      }),
      column.display({
        id: 'baseline',
        header: t.baseline,
        cell: ({ row: { original } }) => t.version(original.baselineModelNumber),
      }),
      column.display({
        id: 'scored',
        header: t.scored,
        cell: ({
          row: {
            original: { results, done, total },
          },
        }) => (results === null ? `${format.number(done)} / ${format.number(total)}` : format.number(results.scored)),
      }),
      column.display({
        id: 'moved',
        header: t.moved,
        cell: ({ row: { original } }) => (original.results === null ? '–' : format.number(movedOf(original.results))),
      }),
    ];
  }, [t, names, format]);
  return <DataTable caption={t.title} rows={rows} columns={columns} rowId={({ id }) => id} />;
}

/** Returns how many subjects have another level by the model than by the baseline. */
export function movedOf({ matrix }: Schemas['RiskBacktestResults']): number {
  return matrix.reduce((sum, { from, to, count }) => (from === to ? sum : sum + count), 0);
}
