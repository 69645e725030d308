/** The page of one version of a process or a decision table: its diagram, what was found, and its activation. */
import { useParams } from '@tanstack/react-router';
import { api } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useCurrent } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Facts, Page, Section } from '../../ui/page.tsx';
import { DefinitionActions } from './definition-actions.tsx';
import { Drawing } from './drawing.tsx';
import { type Definition, DEFINITION_TONES, useWorkflowNames } from './workflow-words.ts';

const words = inLanguages({
  en: {
    diagram: 'Diagram',
    findings: 'Findings',
    none: 'Nothing was found.',
    error: 'error',
    warning: 'warning',
    english: 'Findings are written in English. Those marked as errors keep the version from being activated.',
    facts: 'About this version',
    key: 'Key',
    kind: 'Kind',
    work: 'Work that it needs',
    uploaded: 'Uploaded',
    activated: 'Active since',
    retired: 'Retired',
    requested: 'Activation requested',
    reviewed: 'Reviewed',
    note: 'Note',
    own: 'Somebody else has to review your request.',
  },
  pt: {
    diagram: 'Diagrama',
    findings: 'Apontamentos',
    none: 'Nada foi encontrado.',
    error: 'erro',
    warning: 'aviso',
    english: 'Os apontamentos são escritos em inglês. Os marcados como erro impedem a ativação da versão.',
    facts: 'Sobre esta versão',
    key: 'Chave',
    kind: 'Tipo',
    work: 'Trabalhos de que precisa',
    uploaded: 'Enviada',
    activated: 'Em vigor desde',
    retired: 'Retirada',
    requested: 'Ativação pedida',
    reviewed: 'Revisada',
    note: 'Observação',
    own: 'Outra pessoa precisa revisar o seu pedido.',
  },
});

export function DefinitionPage() {
  const { workflowDefinitionId } = useParams({ from: '/signed-in/workflows/definitions/$workflowDefinitionId' });
  const query = api.useQuery('get', '/v1/workflows/definitions/{workflowDefinitionId}', {
    params: { path: { workflowDefinitionId } },
  });
  return <Loaded query={query}>{(definition) => <OneDefinition definition={definition} />}</Loaded>;
}

function OneDefinition({ definition }: { readonly definition: Definition }) {
  const t = useWords(words);
  const names = useWorkflowNames();
  const { id, key, name, number, status, version } = definition;
  return (
    <Page
      title={`${name ?? key} · ${number}`}
      badges={<Badge tone={DEFINITION_TONES[status]}>{names.definitionStatuses[status]}</Badge>}
      actions={<DefinitionActions definition={definition} />}
    >
      <Section title={t.diagram}>
        <Drawing of="definition" id={id} version={version} />
      </Section>
      <Findings definition={definition} />
      <About definition={definition} />
    </Page>
  );
}

function Findings({ definition: { findings } }: { readonly definition: Definition }) {
  const t = useWords(words);
  return (
    <Section title={t.findings}>
      {findings.length === 0 ? (
        <p className="muted">{t.none}</p>
      ) : (
        <>
          <p className="hint">{t.english}</p>
          <ul>
            {findings.map(({ severity, elementId, message }, index) => (
              <li key={index}>
                <Badge tone={severity === 'error' ? 'danger' : 'warning'}>
                  {severity === 'error' ? t.error : t.warning}
                </Badge>{' '}
                {elementId !== null && <code>{elementId}</code>} <span lang="en">{message}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

function About({ definition }: { readonly definition: Definition }) {
  const t = useWords(words);
  const names = useWorkflowNames();
  const format = useRecordFormat(definition.environment);
  const { user } = useCurrent();
  const { key, kind, jobTypes, createdAt, createdBy, activatedAt, retiredAt, activation } = definition;
  const fact = (title: string, value: string | null): (readonly [string, string])[] =>
    value === null || value === '' ? [] : [[title, value]];
  const at = (time: string | null): string | null => (time === null ? null : format.dateTime(time));
  return (
    <Section title={t.facts}>
      {activation?.status === 'pending' && activation.requestedBy.id === user.id && <Notice>{t.own}</Notice>}
      <Facts
        facts={[
          [t.key, key],
          [t.kind, names.kinds[kind]],
          ...fact(t.work, jobTypes.join(', ')),
          [t.uploaded, `${format.dateTime(createdAt)}, ${createdBy.display}`],
          ...fact(t.activated, at(activatedAt)),
          ...fact(t.retired, at(retiredAt)),
          ...(activation === null
            ? []
            : [
                [t.requested, `${format.dateTime(activation.requestedAt)}, ${activation.requestedBy.display}`] as const,
                ...fact(t.reviewed, activation.reviewedBy?.display ?? null),
                ...fact(t.note, activation.reviewNote ?? activation.requestNote),
              ]),
        ]}
      />
    </Section>
  );
}
