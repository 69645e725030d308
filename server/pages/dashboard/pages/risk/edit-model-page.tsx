import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf, isProblem } from '../../core/problem.ts';
import { oneOf } from '../../core/search.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { SelectFilter } from '../../ui/filters.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { announce } from '../../ui/toasts.tsx';
import { optionsOf } from '../applications/words.ts';
import { useActiveModel } from './active-model.ts';
import { useRiskChanged } from './changed.ts';
import { DifferenceList } from './difference-list.tsx';
import { memberWords } from './differences.ts';
import { FactorsField, RulesField } from './factor-fields.tsx';
import { definitionOf, draftOf, jsonFaults, type ModelDraft, POINTERS } from './model-draft.ts';
import { SUBJECTS } from './risk-search.ts';
import { type Definition, type Model, useRiskNames } from './risk-words.ts';
import './refusals.ts';
import './risk.css';

const words = inLanguages({
  en: {
    title: (number: number) => `Edit version ${number}`,
    lead: 'A draft rates nobody. It counts once a second person has confirmed its activation.',
    fixed: 'This version cannot be changed',
    why: 'Only a draft changes, and only while it does not run as a shadow.',
    model: 'To the model',
    monthsHint: 'Months.',
    save: 'Save the draft',
    saved: 'The draft is saved.',
    differences: 'What you change',
    against: 'Compared with',
    savedDraft: 'The saved draft',
    active: (number: number) => `Version ${number}, which is active`,
    version: (number: number, name: string) => `Version ${number} · ${name}`,
    incomplete: 'Shown as soon as every JSON text is complete.',
    messages: { not_json: 'This is not JSON.', required: 'Is missing.' },
    missing: {
      name: 'Enter a name.',
      medium: 'Enter a score.',
      high: 'Enter a score.',
      lowMonths: 'Enter months.',
      mediumMonths: 'Enter months.',
      highMonths: 'Enter months.',
      factors: 'Add at least one factor.',
    },
  },
  pt: {
    title: (number: number) => `Editar a versão ${number}`,
    lead: 'Um rascunho não avalia ninguém. Ele vale depois que outra pessoa confirma a ativação.',
    fixed: 'Esta versão não pode ser alterada',
    why: 'Só um rascunho muda, e só enquanto não é executado em paralelo.',
    model: 'Para o modelo',
    monthsHint: 'Meses.',
    save: 'Salvar o rascunho',
    saved: 'O rascunho foi salvo.',
    differences: 'O que você muda',
    against: 'Comparado com',
    savedDraft: 'O rascunho salvo',
    active: (number: number) => `Versão ${number}, que está ativa`,
    version: (number: number, name: string) => `Versão ${number} · ${name}`,
    incomplete: 'Aparece assim que todo texto JSON estiver completo.',
    messages: { not_json: 'Isto não é JSON.', required: 'Está faltando.' },
    missing: {
      name: 'Digite um nome.',
      medium: 'Digite uma pontuação.',
      high: 'Digite uma pontuação.',
      lowMonths: 'Digite os meses.',
      mediumMonths: 'Digite os meses.',
      highMonths: 'Digite os meses.',
      factors: 'Inclua ao menos um fator.',
    },
  },
});

/** Edits a draft of a risk model, beside what differs from another version. */
export function EditModelPage() {
  const t = useWords(words);
  const { modelId } = useParams({ from: '/signed-in/risk/models/$modelId/edit' });
  const query = api.useQuery('get', '/v1/risk/models/{modelId}', { params: { path: { modelId } } });
  const may = useMay();
  const { data, error } = query;
  const isEditable = data?.status === 'draft' && data.shadowId === null && may('replaceRiskModel');
  if ((data !== undefined && !isEditable) || (isProblem(error) && [400, 404].includes(error.status)))
    return (
      <Page title={t.fixed} lead={t.why}>
        <p>
          <ButtonLink to="/risk/models/$modelId" params={{ modelId }}>
            {t.model}
          </ButtonLink>
        </p>
      </Page>
    );
  return <Loaded query={query}>{(model) => <Editor key={model.version} model={model} />}</Loaded>;
}

function Editor({ model }: { readonly model: Model }) {
  const t = useWords(words);
  const m = useWords(memberWords);
  const { policies } = useRiskNames();
  const navigate = useNavigate();
  const changed = useRiskChanged();
  const { id, number, version, definition } = model;
  const subjectType = oneOf(SUBJECTS, model.subjectType);
  const facts = api.useQuery('get', '/v1/risk/facts', {
    params: { query: { ...(subjectType !== undefined && { subjectType }) } },
  });
  const form = useForm({
    initial: draftOf(definition),
    required: t.missing,
    pointers: POINTERS,
    messages: t.messages,
    check: jsonFaults,
    submit: async (draft) => {
      const params = { path: { modelId: id }, header: { 'If-Match': `"${version}"` } };
      await answerOf(client.PUT('/v1/risk/models/{modelId}', { params, body: definitionOf(draft) }));
      announce(t.saved);
      await navigate({ to: '/risk/models/$modelId', params: { modelId: id } });
      await changed();
    },
  });
  const months = {
    hint: t.monthsHint,
    inputMode: 'numeric',
    autoComplete: 'off',
    maxLength: 2,
  } as const;
  const score = { inputMode: 'decimal', autoComplete: 'off', maxLength: 8 } as const;
  const back = () => void navigate({ to: '/risk/models/$modelId', params: { modelId: id } });
  return (
    <Page title={t.title(number)} lead={t.lead}>
      <div className="columns">
        <div className="card">
          <Form form={form} action={t.save} cancel={back} sticky>
            <TextField field={form.field('name')} label={m.name} autoComplete="off" maxLength={80} />
            <div className="risk-fields">
              <TextField field={form.field('medium')} label={m.medium} {...score} />
              <TextField field={form.field('high')} label={m.high} {...score} />
              <TextField field={form.field('lowMonths')} label={m.lowMonths} {...months} />
              <TextField field={form.field('mediumMonths')} label={m.mediumMonths} {...months} />
              <TextField field={form.field('highMonths')} label={m.highMonths} {...months} />
            </div>
            <SelectField field={form.field('missingDataPolicy')} label={m.policy} options={optionsOf(policies)} />
            <FactorsField field={form.field('factors')} facts={facts.data?.items ?? []} />
            <RulesField field={form.field('hardRules')} />
          </Form>
        </div>
        <Differences model={model} draft={form.values} />
      </div>
    </Page>
  );
}

/** Shows what the draft as it is typed changes, compared with the active version or any other. */
function Differences({ model, draft }: { readonly model: Model; readonly draft: ModelDraft }) {
  const t = useWords(words);
  const [chosen, setChosen] = useState('');
  const active = useActiveModel(model.subjectType);
  const subjectType = oneOf(SUBJECTS, model.subjectType);
  const versions = api.useQuery('get', '/v1/risk/models', {
    params: { query: { limit: 100, ...(subjectType !== undefined && { subjectType }) } },
  });
  const other = api.useQuery(
    'get',
    '/v1/risk/models/{modelId}',
    { params: { path: { modelId: chosen } } },
    { enabled: chosen !== '' },
  );
  const before = chosen === '' ? active?.definition : other.data?.definition;
  const others = (versions.data?.items ?? []).filter(({ id }) => id !== active?.id);
  return (
    <Section title={t.differences}>
      <SelectFilter
        label={t.against}
        value={chosen}
        apply={setChosen}
        options={[
          ['', t.active(active?.number ?? 1)],
          ...others.map(({ id, number, name }) =>
            id === model.id ? ([id, t.savedDraft] as const) : ([id, t.version(number, name)] as const),
          ),
        ]}
      />
      {before !== undefined && <Changes before={before} draft={draft} />}
    </Section>
  );
}

function Changes({ before, draft }: { readonly before: Definition; readonly draft: ModelDraft }) {
  const t = useWords(words);
  const isComplete = jsonFaults(draft).length === 0;
  if (!isComplete) return <p className="muted">{t.incomplete}</p>;
  return <DifferenceList before={before} after={definitionOf(draft)} />;
}
