/**
 * Shows what a new matching algorithm would find and releases it. Used by coverage.tsx. After the release customers are
 * screened again, and what is found becomes alerts.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Notice } from '../../ui/notice.tsx';
import { announce } from '../../ui/toasts.tsx';

const words = inLanguages({
  en: {
    waits: (present: string, released: string) =>
      `The algorithm ${present} waits for its release. Your customers were compared by ${released}.`,
    pending: (count: number) => `The rehearsal still has ${count} to compare.`,
    found: (hits: number, people: number) =>
      `The rehearsal found ${hits} new hits about ${people} customers. They become alerts with the release.`,
    failed: (count: number) => `${count} could not be compared.`,
    release: 'Release it …',
    title: 'Release the algorithm',
    text: 'Everybody who was compared by an earlier algorithm is screened again, and what is found is an alert.',
    note: 'What it rests on',
    hint: 'At least ten characters.',
    missing: 'Write what it rests on.',
    confirm: 'Release',
    done: 'Released. Everybody is screened again in the background.',
  },
  pt: {
    waits: (present: string, released: string) =>
      `O algoritmo ${present} espera a sua liberação. Os seus clientes foram comparados pelo ${released}.`,
    pending: (count: number) => `O ensaio ainda tem ${count} a comparar.`,
    found: (hits: number, people: number) =>
      `O ensaio encontrou ${hits} novas ocorrências sobre ${people} clientes. Elas viram alertas com a liberação.`,
    failed: (count: number) => `${count} não puderam ser comparados.`,
    release: 'Liberar …',
    title: 'Liberar o algoritmo',
    text:
      'Todos os que foram comparados por um algoritmo anterior são consultados de novo, e o que ' +
      'se encontra é um alerta.',
    note: 'Em que se baseia',
    hint: 'Ao menos dez caracteres.',
    missing: 'Escreva em que se baseia.',
    confirm: 'Liberar',
    done: 'Liberado. Todos são consultados de novo em segundo plano.',
  },
});

/** Shows what the algorithm of this release would find, until it is released. */
export function Algorithm({
  algorithm: { algorithmVersion, releasedVersion, pending, failed, newHits, subjectsWithNewHits },
}: {
  readonly algorithm: Schemas['MonitoringAlgorithm'];
}) {
  const t = useWords(words);
  const may = useMay();
  const [asking, setAsking] = useState(false);
  if (algorithmVersion === releasedVersion) return null;
  return (
    <Notice tone="info">
      <p>
        {t.waits(algorithmVersion, releasedVersion)}{' '}
        {pending > 0 ? t.pending(pending) : t.found(newHits, subjectsWithNewHits)} {failed > 0 && t.failed(failed)}
      </p>
      {pending === 0 && may('releaseAlgorithm') && (
        <Button small onClick={() => setAsking(true)}>
          {t.release}
        </Button>
      )}
      {asking && <Release algorithmVersion={algorithmVersion} close={() => setAsking(false)} />}
    </Notice>
  );
}

function Release({ algorithmVersion, close }: { readonly algorithmVersion: string; readonly close: () => void }) {
  const t = useWords(words);
  const queries = useQueryClient();
  const keyFor = useIdempotencyKey();
  const form = useForm({
    initial: { note: '' },
    required: { note: t.missing },
    submit: async ({ note }) => {
      const body = { algorithmVersion, note: note.trim() };
      await answerOf(
        client.POST('/v1/monitoring/algorithm/release', {
          params: { header: { 'Idempotency-Key': keyFor(body) } },
          body,
        }),
      );
      await queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/monitoring/coverage').queryKey });
      announce(t.done);
      close();
    },
  });
  return (
    <Dialog title={t.title} onClose={close}>
      <p className="muted">{t.text}</p>
      <Form form={form} action={t.confirm} cancel={close}>
        <TextArea field={form.field('note')} label={t.note} hint={t.hint} maxLength={4000} />
      </Form>
    </Dialog>
  );
}
