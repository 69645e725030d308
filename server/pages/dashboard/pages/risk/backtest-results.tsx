import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { useFormat } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { movedOf } from './backtests.tsx';
import { type Level, LEVELS, useRiskNames } from './risk-words.ts';

type Results = Schemas['RiskBacktestResults'];

const words = inLanguages({
  en: {
    title: 'What would change',
    scored: 'Scored',
    unscorable: 'A fact is missing',
    erased: 'Erased',
    agreement: 'Same level',
    lowShare: 'Share of low risk',
    cases: 'High or prohibited a day',
    caught: 'Rejected ones rated high',
    approved: 'Approved ones rated high',
    fromTo: (before: string, after: string) => `${before} → ${after}`,
    matrix: 'Levels before and after',
    matrixHint: 'A row holds the level by the baseline, a column the level by the model. Choose a number to see who.',
    before: 'Before',
    after: 'After',
    sum: 'All',
    see: (from: string, to: string, count: string) => `${count} from ${from} to ${to}`,
  },
  pt: {
    title: 'O que mudaria',
    scored: 'Pontuados',
    unscorable: 'Falta um fato',
    erased: 'Apagados',
    agreement: 'Mesmo nível',
    lowShare: 'Parcela de risco baixo',
    cases: 'Alto ou proibido por dia',
    caught: 'Recusados com risco alto',
    approved: 'Aprovados com risco alto',
    fromTo: (before: string, after: string) => `${before} → ${after}`,
    matrix: 'Níveis antes e depois',
    matrixHint: 'A linha é o nível pela base, a coluna o nível pelo modelo. Escolha um número para ver quem são.',
    before: 'Antes',
    after: 'Depois',
    sum: 'Todos',
    see: (from: string, to: string, count: string) => `${count} de ${from} para ${to}`,
  },
});

/** Shows what a model would change: counts, shares, and how many have which level before and after. */
export function BacktestResults({ backtestId, results }: { readonly backtestId: string; readonly results: Results }) {
  const t = useWords(words);
  const format = useFormat();
  const { scored, unscorable, erased, lowShare, casesPerDay } = results;
  const percent = (share: number) => `${format.number(Math.round(share * 1000) / 10)} %`;
  const figures: readonly (readonly [string, string])[] = [
    [t.scored, format.number(scored)],
    [t.agreement, scored === 0 ? '–' : percent(1 - movedOf(results) / scored)],
    [t.unscorable, format.number(unscorable)],
    [t.erased, format.number(erased)],
    [t.lowShare, t.fromTo(percent(lowShare.before), percent(lowShare.after))],
    [t.cases, t.fromTo(format.number(casesPerDay.before), format.number(casesPerDay.after))],
    [t.caught, t.fromTo(format.number(results.rejectedCaughtBefore), format.number(results.rejectedCaughtAfter))],
    [t.approved, format.number(results.approvedNowHigh)],
  ];
  return (
    <Section title={t.title}>
      <dl className="figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{value}</strong>
            </dd>
          </div>
        ))}
      </dl>
      <Matrix backtestId={backtestId} results={results} />
    </Section>
  );
}

function Matrix({
  backtestId,
  results: { matrix, levelsBefore, levelsAfter, scored },
}: {
  readonly backtestId: string;
  readonly results: Results;
}) {
  const t = useWords(words);
  const { levels } = useRiskNames();
  const format = useFormat();
  const countOf = (from: Level, to: Level) => matrix.find((move) => move.from === from && move.to === to)?.count ?? 0;
  return (
    <div className="stack">
      <h3>{t.matrix}</h3>
      <p className="hint">{t.matrixHint}</p>
      <table className="risk-matrix">
        <caption className="visually-hidden">{t.matrix}</caption>
        <thead>
          <tr>
            <th scope="col">
              {t.before} ↓ {t.after} →
            </th>
            {LEVELS.map((level) => (
              <th key={level} scope="col">
                {levels[level]}
              </th>
            ))}
            <th scope="col">{t.sum}</th>
          </tr>
        </thead>
        <tbody>
          {LEVELS.map((from) => (
            <tr key={from}>
              <th scope="row">{levels[from]}</th>
              {LEVELS.map((to) => (
                <td key={to} className={from === to ? 'same' : undefined}>
                  <Count backtestId={backtestId} from={from} to={to} count={countOf(from, to)} />
                </td>
              ))}
              <td>{format.number(levelsBefore[from])}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">{t.sum}</th>
            {LEVELS.map((level) => (
              <td key={level}>{format.number(levelsAfter[level])}</td>
            ))}
            <td>{format.number(scored)}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function Count({
  backtestId,
  from,
  to,
  count,
}: {
  readonly backtestId: string;
  readonly from: Level;
  readonly to: Level;
  readonly count: number;
}) {
  const t = useWords(words);
  const { levels } = useRiskNames();
  const format = useFormat();
  const text = format.number(count);
  if (count === 0 || from === to) return <>{text}</>;
  return (
    <Link
      to="/risk/backtests/$backtestId"
      params={{ backtestId }}
      search={{ from, to }}
      hash="movers"
      aria-label={t.see(levels[from], levels[to], text)}
    >
      {text}
    </Link>
  );
}
