import { client } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { useRiskChanged } from './changed.ts';
import type { Model } from './risk-words.ts';

const words = inLanguages({
  en: {
    title: 'Run as a shadow',
    about:
      'From now on the draft also scores each new assessment, and the results are compared. Nobody is rated by them, ' +
      'and the draft does not change meanwhile.',
    days: 'Days',
    hint: 'From 1 to 30.',
    start: 'Start',
    started: 'The shadow run has begun.',
    missing: { days: 'Enter the number of days.' },
  },
  pt: {
    title: 'Executar em paralelo',
    about:
      'De agora em diante o rascunho também pontua cada nova avaliação, e os resultados são comparados. Ninguém é ' +
      'avaliado por eles, e o rascunho não muda enquanto isso.',
    days: 'Dias',
    hint: 'De 1 a 30.',
    start: 'Iniciar',
    started: 'A execução paralela começou.',
    missing: { days: 'Digite o número de dias.' },
  },
});

/** Lets a draft score new assessments silently beside the active model for some days. */
export function StartShadow({ model: { id, version }, close }: { readonly model: Model; readonly close: () => void }) {
  const t = useWords(words);
  const keyFor = useIdempotencyKey();
  const changed = useRiskChanged();
  const form = useForm({
    initial: { days: '30' },
    required: t.missing,
    submit: async ({ days }) => {
      const body = { days: Number(days) };
      const params = { path: { modelId: id }, header: { 'Idempotency-Key': keyFor({ id, version, body }) } };
      await answerOf(client.POST('/v1/risk/models/{modelId}/shadow', { params, body }));
      await changed();
      announce(t.started);
      close();
    },
  });
  return (
    <Dialog title={t.title} onClose={close}>
      <p>{t.about}</p>
      <Form form={form} action={t.start} cancel={close}>
        <TextField field={form.field('days')} label={t.days} hint={t.hint} inputMode="numeric" autoComplete="off" />
      </Form>
    </Dialog>
  );
}
