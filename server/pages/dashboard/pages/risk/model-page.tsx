import { useParams } from '@tanstack/react-router';
import { api } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { isProblem } from '../../core/problem.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts, Page, Section } from '../../ui/page.tsx';
import { ActivationFacts } from './activation.tsx';
import { Backtests } from './backtests.tsx';
import { DifferenceList } from './difference-list.tsx';
import { useActiveModel } from './active-model.ts';
import { ModelActions } from './model-actions.tsx';
import { ModelContent } from './model-content.tsx';
import { progressInterval, Reassessment } from './reassessment.tsx';
import { type Model, STATUS_TONES, useRiskNames } from './risk-words.ts';
import './refusals.ts';
import './risk.css';

const words = inLanguages({
  en: {
    unknown: 'There is no such model',
    why: 'It may belong to another tenant, or its address is not complete.',
    models: 'To the risk models',
    facts: 'Summary',
    subject: 'Subjects',
    number: 'Version',
    written: 'Written',
    changed: 'Last change',
    active: 'In force since',
    retired: 'In force until',
    shadow: 'Shadow run',
    runs: 'See how it compares',
    checksum: 'Checksum',
    activation: 'Activation',
    differs: (number: number) => `What differs from version ${number}, which is active`,
  },
  pt: {
    unknown: 'Este modelo não existe',
    why: 'Ele pode ser de outro inquilino, ou o endereço está incompleto.',
    models: 'Para os modelos de risco',
    facts: 'Resumo',
    subject: 'Sujeitos',
    number: 'Versão',
    written: 'Escrita',
    changed: 'Última mudança',
    active: 'Em vigor desde',
    retired: 'Em vigor até',
    shadow: 'Execução paralela',
    runs: 'Ver como se compara',
    checksum: 'Soma de verificação',
    activation: 'Ativação',
    differs: (number: number) => `O que difere da versão ${number}, que está ativa`,
  },
});

/** Shows a version of a risk model: what it holds, how it compares with others, and its way into force. */
export function ModelPage() {
  const t = useWords(words);
  const { modelId } = useParams({ from: '/signed-in/risk/models/$modelId' });
  const query = api.useQuery(
    'get',
    '/v1/risk/models/{modelId}',
    { params: { path: { modelId } } },
    { refetchInterval: ({ state }) => progressInterval(state.data?.reassessment) },
  );
  const { data, error } = query;
  if (data === undefined && isProblem(error) && [400, 404].includes(error.status))
    return (
      <Page title={t.unknown} lead={t.why}>
        <p>
          <ButtonLink to="/risk">{t.models}</ButtonLink>
        </p>
      </Page>
    );
  return <Loaded query={query}>{(model) => <OneModel key={model.id} model={model} />}</Loaded>;
}

function OneModel({ model }: { readonly model: Model }) {
  const t = useWords(words);
  const names = useRiskNames();
  const may = useMay();
  const { number, status, subjectType, definition, activation, reassessment } = model;
  const waits = status === 'draft' || status === 'pending_activation';
  return (
    <Page
      title={`${number} · ${definition.name}`}
      badges={
        <>
          <Badge tone={STATUS_TONES[status]}>{names.statuses[status]}</Badge>
          <Badge>{names.subjects[subjectType]}</Badge>
        </>
      }
      actions={<ModelActions model={model} />}
    >
      <div className="columns">
        <div className="stack">
          {reassessment !== null && <Reassessment progress={reassessment} />}
          {activation !== null && (
            <Section title={t.activation}>
              <ActivationFacts activation={activation} ofModel />
            </Section>
          )}
          {waits && <FromActive model={model} />}
          {may('listRiskBacktests') && <Backtests model={model} />}
          <ModelContent definition={definition} />
        </div>
        <ModelFacts model={model} />
      </div>
    </Page>
  );
}

function FromActive({ model: { subjectType, definition } }: { readonly model: Model }) {
  const t = useWords(words);
  const active = useActiveModel(subjectType);
  if (active === undefined) return null;
  return (
    <Section title={t.differs(active.number)}>
      <DifferenceList before={active.definition} after={definition} />
    </Section>
  );
}

function ModelFacts({ model }: { readonly model: Model }) {
  const t = useWords(words);
  const names = useRiskNames();
  const format = useRecordFormat(model.environment);
  const may = useMay();
  const { number, subjectType, createdAt, createdBy, updatedAt, activatedAt, retiredAt, checksum, shadowId } = model;
  return (
    <Section title={t.facts}>
      <Facts
        facts={[
          [t.number, String(number)],
          [t.subject, names.subjects[subjectType]],
          [t.written, `${format.dateTime(createdAt)}, ${createdBy.display}`],
          [t.changed, format.dateTime(updatedAt)],
          ...(activatedAt === null ? [] : [[t.active, format.dateTime(activatedAt)] as const]),
          ...(retiredAt === null ? [] : [[t.retired, format.dateTime(retiredAt)] as const]),
          ...(shadowId === null || !may('getRiskBacktest')
            ? []
            : [
                [
                  t.shadow,
                  <ButtonLink key="shadow" small to="/risk/backtests/$backtestId" params={{ backtestId: shadowId }}>
                    {t.runs}
                  </ButtonLink>,
                ] as const,
              ]),
          [t.checksum, <Copyable key="checksum" text={checksum} what={t.checksum} />],
        ]}
      />
    </Section>
  );
}
