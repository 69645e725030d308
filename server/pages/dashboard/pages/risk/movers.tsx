import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { oneOf } from '../../core/search.ts';
import { Filters, SelectFilter } from '../../ui/filters.tsx';
import { More } from '../../ui/more.tsx';
import { Section } from '../../ui/page.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { nameOf, optionsOf } from '../applications/words.ts';
import { LevelBadge } from './level-badge.tsx';
import type { BacktestSearch } from './risk-search.ts';
import { LEVELS, useDecimal, useRiskNames } from './risk-words.ts';

type Mover = Schemas['RiskMover'];

const words = inLanguages({
  en: {
    title: 'Who would move',
    none: 'Nobody would have another level.',
    noneSo: 'Nobody would move like that.',
    subject: 'Application or company',
    before: 'Level before',
    after: 'Level after',
    score: 'Score',
    factors: 'Because of',
    any: 'Any',
  },
  pt: {
    title: 'Quem mudaria',
    none: 'Ninguém teria outro nível.',
    noneSo: 'Ninguém mudaria assim.',
    subject: 'Solicitação ou empresa',
    before: 'Nível antes',
    after: 'Nível depois',
    score: 'Pontuação',
    factors: 'Por causa de',
    any: 'Qualquer',
  },
});

interface MoversProps {
  readonly backtestId: string;
  readonly rows: readonly Mover[];
  readonly pages: Parameters<typeof More>[0]['pages'];
}

/** Lists the subjects whose level would be another, filtered by the level before and after. */
export function Movers({ backtestId, rows, pages }: MoversProps) {
  const t = useWords(words);
  const { levels } = useRiskNames();
  const search = useSearch({ from: '/signed-in/risk/backtests/$backtestId' });
  const navigate = useNavigate();
  const apply = (changed: BacktestSearch) =>
    void navigate({
      to: '/risk/backtests/$backtestId',
      params: { backtestId },
      search: { ...search, ...changed },
      replace: true,
      resetScroll: false,
    });
  const isFiltered = search.from !== undefined || search.to !== undefined;
  const options = [['', t.any] as const, ...optionsOf(levels)];
  return (
    <Section title={t.title} id="movers">
      <Filters clear={isFiltered ? () => apply({ from: undefined, to: undefined }) : null}>
        <SelectFilter
          label={t.before}
          value={search.from ?? ''}
          apply={(value) => apply({ from: oneOf(LEVELS, value) })}
          options={options}
        />
        <SelectFilter
          label={t.after}
          value={search.to ?? ''}
          apply={(value) => apply({ to: oneOf(LEVELS, value) })}
          options={options}
        />
      </Filters>
      {rows.length === 0 ? (
        <p className="muted">{isFiltered ? t.noneSo : t.none}</p>
      ) : (
        <>
          <MoverTable rows={rows} />
          <More pages={pages} count={rows.length} />
        </>
      )}
    </Section>
  );
}

function MoverTable({ rows }: { readonly rows: readonly Mover[] }) {
  const t = useWords(words);
  const decimal = useDecimal();
  const columns = useMemo(() => {
    const column = columnsOf<Mover>();
    return [
      column.display({
        id: 'subject',
        header: t.subject,
        cell: ({
          row: {
            original: { applicationId, businessId },
          },
        }) => {
          if (applicationId !== null)
            return (
              <Link to="/applications/$applicationId" params={{ applicationId }}>
                <code>…{applicationId.slice(-12)}</code>
              </Link>
            );
          if (businessId === null) return '–';
          return (
            <Link to="/businesses/$businessId" params={{ businessId }}>
              <code>…{businessId.slice(-12)}</code>
            </Link>
          );
        },
      }),
      column.display({
        id: 'level',
        header: `${t.before} → ${t.after}`,
        cell: ({
          row: {
            original: { from, to },
          },
        }) => (
          <span className="row">
            <LevelBadge level={from} /> → <LevelBadge level={to} />
          </span>
        ),
      }),
      column.display({
        id: 'score',
        header: t.score,
        cell: ({
          row: {
            original: { scoreBefore, scoreAfter },
          },
        }) => (
          <span className="number">
            {decimal(scoreBefore)} → {decimal(scoreAfter)}
          </span>
        ),
      }),
      column.display({
        id: 'factors',
        header: t.factors,
        cell: ({ row: { original } }) => original.topFactors.map((key) => nameOf({}, key)).join(', '),
      }),
    ];
  }, [t, decimal]);
  return (
    <DataTable
      caption={t.title}
      rows={rows}
      columns={columns}
      rowId={({ applicationId, businessId }) => applicationId ?? businessId ?? ''}
    />
  );
}
