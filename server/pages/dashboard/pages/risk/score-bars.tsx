import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Section } from '../../ui/page.tsx';
import { type Assessment, useDecimal, useRiskNames } from './risk-words.ts';

type Contribution = Assessment['contributions'][number];
type Thresholds = Schemas['RiskThresholds'];

const words = inLanguages({
  en: {
    title: 'How the score adds up',
    about:
      'Each factor has a score from 0 to 100. Its weight is its share of the whole, and its points are the score ' +
      'times that share. Each bar begins where the one before ends.',
    points: 'points',
    missing: 'missing',
    unstated: 'not stated',
    weighted: (score: string, weight: string) => `score ${score}, weight ${weight}`,
    notCounted: (weight: string) => `does not count, weight ${weight}`,
    sum: 'Sum of all points',
    medium: (score: string) => `medium from ${score}`,
    high: (score: string) => `high from ${score}`,
  },
  pt: {
    title: 'Como se soma a pontuação',
    about:
      'Cada fator tem uma pontuação de 0 a 100. O peso é a parcela dele no todo, e os pontos são a pontuação vezes ' +
      'essa parcela. Cada barra começa onde termina a anterior.',
    points: 'pontos',
    missing: 'ausente',
    unstated: 'não informado',
    weighted: (score: string, weight: string) => `pontuação ${score}, peso ${weight}`,
    notCounted: (weight: string) => `não conta, peso ${weight}`,
    sum: 'Soma de todos os pontos',
    medium: (score: string) => `médio a partir de ${score}`,
    high: (score: string) => `alto a partir de ${score}`,
  },
});

const STEPS = 10_000;
/** Height of a bar in the unit in which its width is 100. */
const HEIGHT = 4;

/** Returns a decimal of the API as an integer of its last decimal, so that sums are exact. */
function unitsOf(decimal: string): number {
  return Math.round(Number(decimal) * STEPS);
}

/** Returns each contribution with the sum of the points before it. */
function staggered(contributions: readonly Contribution[]) {
  let before = 0;
  return contributions.map((contribution) => {
    const start = before;
    before += unitsOf(contribution.points);
    return { contribution, start };
  });
}

/** Shows the points of each factor as bars that follow on one another and add up to the score. */
export function ScoreBars({
  assessment: { contributions },
  thresholds,
}: {
  readonly assessment: Assessment;
  readonly thresholds: Thresholds | undefined;
}) {
  const t = useWords(words);
  const decimal = useDecimal();
  const sum = contributions.reduce((total, { points }) => total + unitsOf(points), 0);
  return (
    <Section title={t.title} id="score">
      <p className="muted">{t.about}</p>
      <ol className="risk-bars">
        {staggered(contributions).map(({ contribution, start }) => (
          <li key={contribution.factorKey}>
            <OneFactor contribution={contribution} start={start} />
          </li>
        ))}
        <li className="sum">
          <div className="risk-bar-head">
            <strong>{t.sum}</strong>
            <strong className="number">{decimal((sum / STEPS).toFixed(4))}</strong>
          </div>
          <Bar start={0} length={sum} thresholds={thresholds} />
          {thresholds !== undefined && (
            <p className="hint">
              {t.medium(decimal(String(thresholds.medium)))} · {t.high(decimal(String(thresholds.high)))}
            </p>
          )}
        </li>
      </ol>
    </Section>
  );
}

function OneFactor({ contribution, start }: { readonly contribution: Contribution; readonly start: number }) {
  const t = useWords(words);
  const { categories } = useRiskNames();
  const decimal = useDecimal();
  const { label, category, value, isMissing, score, weight, points } = contribution;
  return (
    <>
      <div className="risk-bar-head">
        <span>
          {label} <span className="muted">{categories[category]}</span>
        </span>
        <span className="number">
          {decimal(points)} <span className="visually-hidden">{t.points}</span>
        </span>
      </div>
      <Bar start={start} length={unitsOf(points)} />
      <p className="hint">
        {isMissing ? t.missing : value || t.unstated} ·{' '}
        {score === null ? t.notCounted(decimal(weight)) : t.weighted(decimal(score), decimal(weight))}
      </p>
    </>
  );
}

/** Draws a part of the scale from 0 to 100. The text beside it says the same, so it is hidden from screen readers. */
function Bar({
  start,
  length,
  thresholds,
}: {
  readonly start: number;
  readonly length: number;
  readonly thresholds?: Thresholds | undefined;
}) {
  return (
    <svg className="risk-bar" viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden focusable="false">
      <rect className="scale" x={0} y={0} width={100} height={HEIGHT} />
      <rect className="points" x={start / STEPS} y={0} width={length / STEPS} height={HEIGHT} />
      {thresholds !== undefined &&
        [thresholds.medium, thresholds.high].map((at) => (
          <line key={at} className="threshold" x1={at} x2={at} y1={0} y2={HEIGHT} />
        ))}
    </svg>
  );
}
