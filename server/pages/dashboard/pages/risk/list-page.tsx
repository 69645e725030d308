import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api, client, type Schemas } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf, isProblem } from '../../core/problem.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts, Page, Section } from '../../ui/page.tsx';
import { announce } from '../../ui/toasts.tsx';
import { type Activation, ActivationFacts, useReviewable } from './activation.tsx';
import { useRiskChanged } from './changed.ts';
import { EditList } from './edit-list.tsx';
import { Reassessment, progressInterval } from './reassessment.tsx';
import { ReviewActivation } from './review-activation.tsx';
import { STATUS_TONES, useRiskNames } from './risk-words.ts';
import './refusals.ts';
import './risk.css';

type List = Schemas['ReferenceList'];
type Version = Schemas['ReferenceListVersion'];

const words = inLanguages({
  en: {
    unknown: 'There is no such list',
    why: 'It may belong to another environment, or its address is not complete.',
    lists: 'To the risk models',
    lead: (key: string) => `Models refer to this list as ${key}.`,
    active: 'Active version',
    noActive: 'No version is active yet, so no model may use the list.',
    draft: 'Draft',
    version: 'Version',
    source: 'Source',
    written: 'Written',
    inForce: 'In force since',
    values: 'Values',
    added: 'New values',
    removed: 'Values that are gone',
    edit: 'Edit the draft',
    start: 'Draft a new version',
    activate: 'Request activation',
    activateText:
      'Another compliance officer confirms or returns it. When it is confirmed, all subjects are assessed again.',
    requested: 'The activation waits for a second person.',
    review: 'Review the activation',
  },
  pt: {
    unknown: 'Esta lista não existe',
    why: 'Ela pode ser de outro ambiente, ou o endereço está incompleto.',
    lists: 'Para os modelos de risco',
    lead: (key: string) => `Os modelos se referem a esta lista como ${key}.`,
    active: 'Versão ativa',
    noActive: 'Nenhuma versão está ativa ainda, e por isso nenhum modelo pode usar a lista.',
    draft: 'Rascunho',
    version: 'Versão',
    source: 'Fonte',
    written: 'Escrita',
    inForce: 'Em vigor desde',
    values: 'Valores',
    added: 'Valores novos',
    removed: 'Valores que saíram',
    edit: 'Editar o rascunho',
    start: 'Rascunhar nova versão',
    activate: 'Pedir a ativação',
    activateText:
      'Outro oficial de compliance confirma ou devolve o pedido. Quando é confirmado, todos são avaliados de novo.',
    requested: 'A ativação aguarda outra pessoa.',
    review: 'Revisar a ativação',
  },
});

/** Shows a reference list: the version in force, and the draft with what it changes. */
export function ListPage() {
  const t = useWords(words);
  const { listId } = useParams({ from: '/signed-in/risk/lists/$listId' });
  const query = api.useQuery(
    'get',
    '/v1/risk/lists/{listId}',
    { params: { path: { listId } } },
    { refetchInterval: ({ state }) => progressInterval(state.data?.reassessment) },
  );
  const { data, error } = query;
  if (data === undefined && isProblem(error) && [400, 404].includes(error.status))
    return (
      <Page title={t.unknown} lead={t.why}>
        <p>
          <ButtonLink to="/risk">{t.lists}</ButtonLink>
        </p>
      </Page>
    );
  return <Loaded query={query}>{(list) => <OneList key={list.id} list={list} />}</Loaded>;
}

function OneList({ list }: { readonly list: List }) {
  const t = useWords(words);
  const { id, active, draft, reassessment } = list;
  return (
    <Page title={(active ?? draft)?.label ?? id} lead={t.lead(id)} actions={<ListActions list={list} />}>
      {reassessment !== null && <Reassessment progress={reassessment} />}
      {draft !== null && (
        <VersionSection title={t.draft} version={draft}>
          <Changes before={active?.values ?? []} after={draft.values} />
          {draft.activation !== null && <ActivationFacts activation={draft.activation} />}
        </VersionSection>
      )}
      {active === null ? (
        <Section title={t.active}>
          <p className="muted">{t.noActive}</p>
        </Section>
      ) : (
        <VersionSection title={t.active} version={active}>
          {active.activation !== null && <ActivationFacts activation={active.activation} />}
        </VersionSection>
      )}
    </Page>
  );
}

type Shown = 'edit' | 'activate' | null;

function ListActions({ list }: { readonly list: List }) {
  const t = useWords(words);
  const may = useMay();
  const changed = useRiskChanged();
  const keyFor = useIdempotencyKey();
  const [shown, setShown] = useState<Shown>(null);
  const [reviewed, setReviewed] = useState<Activation | null>(null);
  const { id, draft } = list;
  const close = () => setShown(null);
  const reviewable = useReviewable('reviewReferenceListActivation', draft?.activation ?? null);
  const request = async ({ checksum, id: draftId }: Version) => {
    const body = { checksum };
    const params = {
      path: { listId: id },
      header: { 'Idempotency-Key': keyFor({ draftId, body, at: draft?.activation }) },
    };
    await answerOf(client.POST('/v1/risk/lists/{listId}/activate', { params, body }));
    await changed();
    announce(t.requested);
  };
  return (
    <>
      {may('replaceReferenceList') && draft?.status !== 'pending_activation' && (
        <Button onClick={() => setShown('edit')}>{draft === null ? t.start : t.edit}</Button>
      )}
      {may('activateReferenceList') && draft?.status === 'draft' && (
        <Button look="primary" onClick={() => setShown('activate')}>
          {t.activate}
        </Button>
      )}
      {reviewable !== null && (
        <Button look="primary" onClick={() => setReviewed(reviewable)}>
          {t.review}
        </Button>
      )}
      {shown === 'edit' && <EditList list={list} close={close} />}
      {shown === 'activate' && draft !== null && (
        <ConfirmDialog title={t.activate} action={t.activate} run={() => request(draft)} onClose={close}>
          <p>{t.activateText}</p>
        </ConfirmDialog>
      )}
      {reviewed !== null && (
        <ReviewActivation
          activation={reviewed}
          close={() => setReviewed(null)}
          send={(body, key) =>
            answerOf(
              client.POST('/v1/risk/lists/{listId}/activations/{activationId}/review', {
                params: { path: { listId: id, activationId: reviewed.id }, header: { 'Idempotency-Key': key } },
                body,
              }),
            )
          }
        />
      )}
    </>
  );
}

function VersionSection({
  title,
  version: { number, status, source, createdAt, createdBy, activatedAt, values },
  children,
}: {
  readonly title: string;
  readonly version: Version;
  readonly children?: ReactNode;
}) {
  const t = useWords(words);
  const names = useRiskNames();
  const format = useRecordFormat();
  return (
    <Section title={title} actions={<Badge tone={STATUS_TONES[status]}>{names.statuses[status]}</Badge>}>
      <Facts
        facts={[
          [t.version, String(number)],
          [t.source, source],
          [t.written, `${format.dateTime(createdAt)}, ${createdBy.display}`],
          ...(activatedAt === null ? [] : [[t.inForce, format.dateTime(activatedAt)] as const]),
        ]}
      />
      {children}
      <ValueList title={`${t.values} (${format.number(values.length)})`} values={values} />
    </Section>
  );
}

function Changes({ before, after }: { readonly before: readonly string[]; readonly after: readonly string[] }) {
  const t = useWords(words);
  const added = after.filter((value) => !before.includes(value));
  const removed = before.filter((value) => !after.includes(value));
  return (
    <>
      {added.length > 0 && before.length > 0 && <ValueList title={t.added} values={added} />}
      {removed.length > 0 && <ValueList title={t.removed} values={removed} />}
    </>
  );
}

function ValueList({ title, values }: { readonly title: string; readonly values: readonly string[] }) {
  return (
    <div className="stack">
      <h3>{title}</h3>
      <ul className="risk-values">
        {values.map((value) => (
          <li key={value}>{value}</li>
        ))}
      </ul>
    </div>
  );
}
