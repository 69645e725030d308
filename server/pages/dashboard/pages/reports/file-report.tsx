/** The dialog that records the filing of a report with the authority. Opened by report-actions.tsx. */
import { client } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { matching, type Report, useReportChanged } from './report-words.ts';

const words = inLanguages({
  en: {
    title: 'Mark as filed',
    lead: 'File the report with the authority first. Nothing of it changes afterwards.',
    protocol: 'Protocol',
    hint: 'The number that the authority gave.',
    missing: 'Enter the protocol.',
    file: 'Mark as filed',
    done: 'The filing is recorded.',
  },
  pt: {
    title: 'Marcar como enviada',
    lead: 'Envie antes a comunicação à autoridade. Depois disso nada nela muda.',
    protocol: 'Protocolo',
    hint: 'O número que a autoridade deu.',
    missing: 'Informe o protocolo.',
    file: 'Marcar como enviada',
    done: 'O envio está registrado.',
  },
});

export function FileReport({ report, close }: { readonly report: Report; readonly close: () => void }) {
  const t = useWords(words);
  const keyFor = useIdempotencyKey();
  const changed = useReportChanged();
  const form = useForm({
    initial: { protocol: '' },
    required: { protocol: t.missing },
    submit: async ({ protocol }) => {
      const { id } = report;
      const body = { protocol: protocol.trim() };
      const header = { ...matching(report), 'Idempotency-Key': keyFor({ id, body }) };
      const params = { path: { reportId: id }, header };
      changed(await answerOf(client.POST('/v1/cases/reports/{reportId}/file', { params, body })));
      announce(t.done);
      close();
    },
  });
  return (
    <Dialog title={t.title} onClose={close}>
      <p className="muted">{t.lead}</p>
      <Form form={form} action={t.file} cancel={close}>
        <TextField field={form.field('protocol')} label={t.protocol} hint={t.hint} maxLength={60} />
      </Form>
    </Dialog>
  );
}
