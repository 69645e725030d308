import { useNavigate } from '@tanstack/react-router';
import { api, client } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { oneOf } from '../../core/search.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { useRiskChanged } from './changed.ts';
import { SUBJECTS } from './risk-search.ts';
import { type Model, useRiskNames } from './risk-words.ts';

const words = inLanguages({
  en: {
    title: 'Backtest',
    about: 'Stored assessments are scored again by this version and compared. Nobody is rated by that.',
    baseline: 'Compare with',
    active: 'The active version',
    from: 'Created from',
    to: 'Created until',
    sample: 'At most so many',
    sampleHint: 'The whole population if you leave it empty, up to 50,000.',
    seed: 'Seed of the sample',
    seedHint: 'The same seed draws the same sample.',
    send: 'Start the backtest',
    started: 'The backtest is queued.',
  },
  pt: {
    title: 'Teste retroativo',
    about: 'Avaliações guardadas são pontuadas de novo por esta versão e comparadas. Ninguém é avaliado por isso.',
    baseline: 'Comparar com',
    active: 'A versão ativa',
    from: 'Criadas desde',
    to: 'Criadas até',
    sample: 'No máximo',
    sampleHint: 'Toda a população se ficar vazio, até 50.000.',
    seed: 'Semente da amostra',
    seedHint: 'A mesma semente sorteia a mesma amostra.',
    send: 'Iniciar o teste',
    started: 'O teste está na fila.',
  },
});

const INITIAL = {
  baselineModelId: '',
  from: '',
  to: '',
  sample: '',
  seed: '',
};

const POINTERS = {
  from: '/population/from',
  to: '/population/to',
  sample: '/population/sample',
  seed: '/population/seed',
};

/** Requests a backtest of a version, and opens its page, which shows the progress. */
export function RequestBacktest({ model, close }: { readonly model: Model; readonly close: () => void }) {
  const t = useWords(words);
  const names = useRiskNames();
  const navigate = useNavigate();
  const keyFor = useIdempotencyKey();
  const changed = useRiskChanged();
  const { id, version } = model;
  const subjectType = oneOf(SUBJECTS, model.subjectType);
  const others = api.useQuery('get', '/v1/risk/models', {
    params: { query: { limit: 100, ...(subjectType !== undefined && { subjectType }) } },
  });
  const form = useForm({
    initial: INITIAL,
    pointers: POINTERS,
    submit: async ({ baselineModelId, from, to, sample, seed }) => {
      const population = {
        ...(from !== '' && { from }),
        ...(to !== '' && { to }),
        ...(sample.trim() !== '' && { sample: Number(sample) }),
        ...(seed.trim() !== '' && { seed: Number(seed) }),
      };
      const body = { ...(baselineModelId !== '' && { baselineModelId }), population };
      const params = { path: { modelId: id }, header: { 'Idempotency-Key': keyFor({ id, version, body }) } };
      const { id: backtestId } = await answerOf(client.POST('/v1/risk/models/{modelId}/backtests', { params, body }));
      void changed();
      announce(t.started);
      close();
      await navigate({ to: '/risk/backtests/$backtestId', params: { backtestId } });
    },
  });
  const baselines = (others.data?.items ?? []).filter((other) => other.id !== id && other.status !== 'draft');
  return (
    <Dialog title={t.title} onClose={close}>
      <p>{t.about}</p>
      <Form form={form} action={t.send} cancel={close}>
        <SelectField
          field={form.field('baselineModelId')}
          label={t.baseline}
          options={[
            ['', t.active],
            ...baselines.map((one) => [one.id, `${one.number} · ${one.name} (${names.statuses[one.status]})`] as const),
          ]}
        />
        <TextField field={form.field('from')} type="date" label={t.from} optional />
        <TextField field={form.field('to')} type="date" label={t.to} optional />
        <TextField
          field={form.field('sample')}
          label={t.sample}
          hint={t.sampleHint}
          optional
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField
          field={form.field('seed')}
          label={t.seed}
          hint={t.seedHint}
          optional
          inputMode="numeric"
          autoComplete="off"
        />
      </Form>
    </Dialog>
  );
}
