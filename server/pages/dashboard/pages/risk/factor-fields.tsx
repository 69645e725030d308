import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import type { FieldState } from '../../ui/form.tsx';
import { optionsOf } from '../applications/words.ts';
import { memberWords } from './differences.ts';
import { EntriesField } from './entries-field.tsx';
import { type FactorDraft, NEW_FACTOR, NEW_RULE, type RuleDraft } from './model-draft.ts';
import { useRiskNames } from './risk-words.ts';

type Fact = Schemas['RiskFact'];

const words = inLanguages({
  en: {
    factors: 'Factors',
    addFactor: 'Add a factor',
    rules: 'Hard rules',
    addRule: 'Add a rule',
    key: 'Key',
    keyHint: 'Lower-case letters, digits and underscores.',
    weightHint: 'The sum of all weights counts as the whole.',
    chooseFact: 'Choose a fact',
    scoringHint: 'JSON: by lookup, by bands, or by conditions (when). Scores are from 0 to 100.',
    rationaleHint: 'For those who examine the model: at least ten characters.',
    whenHint: 'JSON: a condition over facts, for example {"gte": [{"fact": "applicant.age"}, 75]}.',
    closed: (label: string, weight: string) => `${label} · ${weight}`,
  },
  pt: {
    factors: 'Fatores',
    addFactor: 'Incluir um fator',
    rules: 'Regras rígidas',
    addRule: 'Incluir uma regra',
    key: 'Chave',
    keyHint: 'Letras minúsculas, dígitos e sublinhados.',
    weightHint: 'A soma de todos os pesos conta como o todo.',
    chooseFact: 'Escolha um fato',
    scoringHint: 'JSON: por tabela (lookup), por faixas (bands) ou por condições (when). Pontuações de 0 a 100.',
    rationaleHint: 'Para quem examina o modelo: ao menos dez caracteres.',
    whenHint: 'JSON: uma condição sobre fatos, por exemplo {"gte": [{"fact": "applicant.age"}, 75]}.',
    closed: (label: string, weight: string) => `${label} · ${weight}`,
  },
});

/** Edits the factors of a model. */
export function FactorsField({
  field,
  facts,
}: {
  readonly field: FieldState<readonly FactorDraft[]>;
  readonly facts: readonly Fact[];
}) {
  const t = useWords(words);
  const m = useWords(memberWords);
  const { categories } = useRiskNames();
  return (
    <EntriesField
      field={field}
      label={t.factors}
      add={t.addFactor}
      blank={NEW_FACTOR}
      title={({ key, label, weight }) => (label || key ? t.closed(label || key, weight) : '')}
      entry={(part) => (
        <>
          <div className="risk-fields">
            <TextField field={part('key')} label={t.key} hint={t.keyHint} maxLength={40} {...PLAIN} />
            <TextField field={part('label')} label={m.label} maxLength={80} autoComplete="off" />
            <SelectField field={part('category')} label={m.category} options={optionsOf(categories)} />
            <TextField
              field={part('weight')}
              label={m.weight}
              hint={t.weightHint}
              inputMode="decimal"
              maxLength={8}
              {...PLAIN}
            />
          </div>
          <FactField field={part('fact')} facts={facts} />
          <div className="risk-json">
            <TextArea
              field={part('scoring')}
              label={m.scoring}
              hint={t.scoringHint}
              rows={linesOf(part('scoring').value)}
            />
          </div>
          <TextArea field={part('rationale')} label={m.rationale} hint={t.rationaleHint} maxLength={1000} />
        </>
      )}
    />
  );
}

const PLAIN = { autoComplete: 'off', spellCheck: false } as const;

function FactField({ field, facts }: { readonly field: FieldState<string>; readonly facts: readonly Fact[] }) {
  const t = useWords(words);
  const m = useWords(memberWords);
  const chosen = facts.find(({ path }) => path === field.value);
  const isUnlisted = field.value !== '' && chosen === undefined;
  return (
    <SelectField
      field={field}
      label={m.fact}
      {...(chosen !== undefined && { hint: `${chosen.type}: ${chosen.description}` })}
      options={[
        ['', t.chooseFact],
        ...(isUnlisted ? [[field.value, field.value] as const] : []),
        ...facts.map(({ path }) => [path, path] as const),
      ]}
    />
  );
}

/** Edits the hard rules of a model. */
export function RulesField({ field }: { readonly field: FieldState<readonly RuleDraft[]> }) {
  const t = useWords(words);
  const m = useWords(memberWords);
  const { effects } = useRiskNames();
  return (
    <EntriesField
      field={field}
      label={t.rules}
      add={t.addRule}
      blank={NEW_RULE}
      title={({ key, effect }) => (key ? t.closed(key, effects[effect]) : '')}
      entry={(part) => (
        <>
          <div className="risk-fields">
            <TextField field={part('key')} label={t.key} hint={t.keyHint} maxLength={40} {...PLAIN} />
            <SelectField field={part('effect')} label={m.effect} options={optionsOf(effects)} />
            <TextField field={part('reasonCode')} label={m.reason} hint={t.keyHint} maxLength={40} {...PLAIN} />
          </div>
          <div className="risk-json">
            <TextArea field={part('when')} label={m.when} hint={t.whenHint} rows={linesOf(part('when').value)} />
          </div>
        </>
      )}
    />
  );
}

/** Returns the rows of a text area that shows all of a text. */
function linesOf(text: string): number {
  return Math.min(Math.max(text.split('\n').length + 1, 3), 24);
}
