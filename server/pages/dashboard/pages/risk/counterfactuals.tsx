import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Section } from '../../ui/page.tsx';
import { LevelBadge } from './level-badge.tsx';
import { type Assessment, useDecimal } from './risk-words.ts';

type Change = Schemas['RiskChange'];

const words = inLanguages({
  en: {
    title: 'What would change the level',
    none: 'No change of a single fact moves the level by one step.',
    if: (fact: string, what: string) => `If ${fact} were ${what},`,
    then: (score: string) => `the score would be ${score} and the level`,
    other: 'any value that the model does not name',
    below: (edge: string) => `less than ${edge}`,
    from: (edge: string) => `${edge} or more`,
    between: (from: string, below: string) => `from ${from} to less than ${below}`,
    yes: 'true',
    no: 'false',
    now: (value: string) => `Now: ${value}.`,
  },
  pt: {
    title: 'O que mudaria o nível',
    none: 'Nenhuma mudança de um único fato move o nível um passo.',
    if: (fact: string, what: string) => `Se ${fact} fosse ${what},`,
    then: (score: string) => `a pontuação seria ${score} e o nível`,
    other: 'um valor que o modelo não nomeia',
    below: (edge: string) => `menor que ${edge}`,
    from: (edge: string) => `${edge} ou mais`,
    between: (from: string, below: string) => `de ${from} a menos de ${below}`,
    yes: 'verdadeiro',
    no: 'falso',
    now: (value: string) => `Agora: ${value}.`,
  },
});

/** Says in words which change of a single fact would move the level by one step. */
export function Counterfactuals({
  assessment: { counterfactuals, contributions },
}: {
  readonly assessment: Assessment;
}) {
  const t = useWords(words);
  const decimal = useDecimal();
  const change = useChangeText();
  const factorOf = (fact: string) => contributions.find((contribution) => contribution.fact === fact);
  return (
    <Section title={t.title}>
      {counterfactuals.length === 0 ? (
        <p className="muted">{t.none}</p>
      ) : (
        <ul className="stack">
          {counterfactuals.map(({ fact, to, newScore, newLevel }) => {
            const factor = factorOf(fact);
            const value = factor?.value ?? null;
            return (
              <li key={`${fact} ${JSON.stringify(to)}`}>
                {t.if(factor === undefined ? fact : `${factor.label} (${fact})`, change(to))}{' '}
                {t.then(decimal(newScore))} <LevelBadge level={newLevel} />
                {value !== null && <span className="muted"> {t.now(value)}</span>}
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}

function useChangeText(): (change: Change) => string {
  const t = useWords(words);
  const decimal = useDecimal();
  return ({ value, other, gte, lt }) => {
    if (other === true) return t.other;
    if (typeof value === 'boolean') return value ? t.yes : t.no;
    if (value !== undefined) return String(value);
    const [from, below] = [gte, lt].map((edge) => (edge === undefined ? '' : decimal(String(edge))));
    if (gte === undefined) return t.below(below ?? '');
    return lt === undefined ? t.from(from ?? '') : t.between(from ?? '', below ?? '');
  };
}
