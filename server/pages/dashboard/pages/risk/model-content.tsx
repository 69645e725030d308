import { useMemo } from 'react';
import { inLanguages, useWords } from '../../core/language.ts';
import { useFormat } from '../../ui/format.ts';
import { Facts, Section } from '../../ui/page.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { nameOf } from '../applications/words.ts';
import { memberWords } from './differences.ts';
import { useExpressionText } from './expression-text.ts';
import { type Definition, type Factor, type HardRule, useRiskNames } from './risk-words.ts';

const words = inLanguages({
  en: {
    levels: 'Levels and reviews',
    factors: 'Factors',
    factorsAbout: 'Each factor gives a score from 0 to 100; the weighted scores add up to that of the subject.',
    rules: 'Hard rules',
    rulesAbout: 'A rule raises the level, whatever the score is. No rule lowers it.',
    none: 'There is no hard rule.',
    share: (share: string) => `${share} % of the whole`,
    rule: 'Rule',
  },
  pt: {
    levels: 'Níveis e revisões',
    factors: 'Fatores',
    factorsAbout: 'Cada fator dá uma pontuação de 0 a 100; as pontuações ponderadas somam a do sujeito.',
    rules: 'Regras rígidas',
    rulesAbout: 'Uma regra eleva o nível, qualquer que seja a pontuação. Nenhuma o reduz.',
    none: 'Não há regra rígida.',
    share: (share: string) => `${share} % do todo`,
    rule: 'Regra',
  },
});

/** Shows what a model holds, in words: levels, factors with their scores and reasons, and hard rules. */
export function ModelContent({ definition }: { readonly definition: Definition }) {
  const t = useWords(words);
  const m = useWords(memberWords);
  const names = useRiskNames();
  const format = useFormat();
  const { thresholds, reviewMonths, missingDataPolicy, factors, hardRules } = definition;
  const whole = factors.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <>
      <Section title={t.levels}>
        <Facts
          facts={[
            [m.medium, format.number(thresholds.medium)],
            [m.high, format.number(thresholds.high)],
            [m.policy, names.policies[missingDataPolicy]],
            [m.lowMonths, m.months(reviewMonths.low)],
            [m.mediumMonths, m.months(reviewMonths.medium)],
            [m.highMonths, m.months(reviewMonths.high)],
          ]}
        />
      </Section>
      <Section title={t.factors}>
        <p className="muted">{t.factorsAbout}</p>
        <ol className="risk-factors">
          {factors.map((factor) => (
            <li key={factor.key}>
              <OneFactor factor={factor} share={whole === 0 ? 0 : factor.weight / whole} />
            </li>
          ))}
        </ol>
      </Section>
      <Section title={t.rules}>
        <p className="muted">{t.rulesAbout}</p>
        {hardRules.length === 0 ? <p>{t.none}</p> : <RuleTable rules={hardRules} />}
      </Section>
    </>
  );
}

function OneFactor({ factor, share }: { readonly factor: Factor; readonly share: number }) {
  const t = useWords(words);
  const m = useWords(memberWords);
  const names = useRiskNames();
  const format = useFormat();
  const text = useExpressionText();
  const { label, category, weight, fact, scoring, rationale } = factor;
  const percent = format.number(Math.round(share * 1000) / 10);
  return (
    <>
      <div className="risk-factor-head">
        <h3>{label}</h3>
        <span className="muted">
          {names.categories[category]} · {m.weight} {format.number(weight)} · {t.share(percent)}
        </span>
      </div>
      <p>{rationale}</p>
      <p className="hint">
        <code>{fact}</code>
      </p>
      <ul className="risk-values">
        {text.scoring(scoring).map((row) => (
          <li key={row}>{row}</li>
        ))}
      </ul>
    </>
  );
}

function RuleTable({ rules }: { readonly rules: readonly HardRule[] }) {
  const t = useWords(words);
  const m = useWords(memberWords);
  const names = useRiskNames();
  const text = useExpressionText();
  const columns = useMemo(() => {
    const column = columnsOf<HardRule>();
    return [
      column.display({
        id: 'rule',
        header: t.rule,
        cell: ({ row: { original } }) => nameOf({}, original.key),
      }),
      column.display({
        id: 'when',
        header: m.when,
        cell: ({ row: { original } }) => <span className="breakable">{text.condition(original.when)}</span>,
      }),
      column.display({
        id: 'effect',
        header: m.effect,
        cell: ({ row: { original } }) => names.effects[original.effect],
      }),
    ];
  }, [t, m, names, text]);
  return <DataTable caption={t.rules} rows={rules} columns={columns} rowId={({ key }) => key} />;
}
