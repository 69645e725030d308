import { api, client } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useFormat } from '../../ui/format.ts';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { useRiskChanged } from './changed.ts';
import { type Model, useRiskNames } from './risk-words.ts';

const words = inLanguages({
  en: {
    title: 'Request activation',
    about:
      'Another compliance officer confirms or returns the request, on this content and these results. When it is ' +
      'confirmed, all subjects are assessed again.',
    backtest: 'Backtest that it rests on',
    hint: 'Completed, of this very content, and at most 30 days old.',
    none: 'None: nothing was assessed yet',
    send: 'Request activation',
    requested: 'The activation waits for a second person.',
  },
  pt: {
    title: 'Pedir a ativação',
    about:
      'Outro oficial de compliance confirma ou devolve o pedido, sobre este conteúdo e estes resultados. Quando é ' +
      'confirmado, todos são avaliados de novo.',
    backtest: 'Teste em que se baseia',
    hint: 'Concluído, deste mesmo conteúdo, e de no máximo 30 dias.',
    none: 'Nenhum: nada foi avaliado ainda',
    send: 'Pedir a ativação',
    requested: 'A ativação aguarda outra pessoa.',
  },
});

/** Requests the activation of the content that the page shows, with the backtest that speaks for it. */
export function RequestActivation({
  model: { id, checksum, version },
  close,
}: {
  readonly model: Model;
  readonly close: () => void;
}) {
  const t = useWords(words);
  const names = useRiskNames();
  const format = useFormat();
  const keyFor = useIdempotencyKey();
  const changed = useRiskChanged();
  const backtests = api.useQuery('get', '/v1/risk/models/{modelId}/backtests', {
    params: { path: { modelId: id }, query: { limit: 50 } },
  });
  const usable = (backtests.data?.items ?? []).filter(
    ({ status, isStale, modelChecksum }) => status === 'completed' && !isStale && modelChecksum === checksum,
  );
  const newest = usable[0]?.id ?? '';
  const initial: { readonly backtestId: string | null } = { backtestId: null };
  const form = useForm({
    initial,
    submit: async ({ backtestId }) => {
      const chosen = backtestId ?? newest;
      const body = { checksum, ...(chosen !== '' && { backtestId: chosen }) };
      const params = { path: { modelId: id }, header: { 'Idempotency-Key': keyFor({ id, version, body }) } };
      await answerOf(client.POST('/v1/risk/models/{modelId}/activate', { params, body }));
      await changed();
      announce(t.requested);
      close();
    },
  });
  const field = form.field('backtestId');
  return (
    <Dialog title={t.title} onClose={close}>
      <p>{t.about}</p>
      <Form form={form} action={t.send} cancel={close}>
        <SelectField
          field={{ ...field, value: field.value ?? newest }}
          label={t.backtest}
          hint={t.hint}
          options={[
            ...usable.map(
              ({ id: value, kind, createdAt }) =>
                [value, `${names.kinds[kind]}, ${format.dateTime(createdAt)}`] as const,
            ),
            ['', t.none] as const,
          ]}
        />
      </Form>
    </Dialog>
  );
}
