/** The dialog that declares that a past year had nothing to report. Opened by reports-page.tsx. */
import { useNavigate } from '@tanstack/react-router';
import { client } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { useReportChanged } from './report-words.ts';

const words = inLanguages({
  en: {
    title: 'Declare that nothing occurred',
    year: 'Year',
    hint: 'A year that has ended, and in which nothing was reported.',
    missing: 'Enter the year.',
    declare: 'Prepare the declaration',
    done: 'The declaration is ready to be filed.',
  },
  pt: {
    title: 'Declarar não ocorrência',
    year: 'Ano',
    hint: 'Um ano que terminou e em que nada foi comunicado.',
    missing: 'Informe o ano.',
    declare: 'Preparar a declaração',
    done: 'A declaração está pronta para o envio.',
  },
});

export function NonOccurrence({ close }: { readonly close: () => void }) {
  const t = useWords(words);
  const navigate = useNavigate();
  const keyFor = useIdempotencyKey();
  const changed = useReportChanged();
  const form = useForm({
    initial: { year: '' },
    required: { year: t.missing },
    submit: async ({ year }) => {
      const body = { year: Number(year) };
      const header = { 'Idempotency-Key': keyFor(body) };
      const report = await answerOf(client.POST('/v1/cases/reports/non-occurrence', { params: { header }, body }));
      changed(report);
      announce(t.done);
      close();
      await navigate({ to: '/cases/reports/$reportId', params: { reportId: report.id } });
    },
  });
  return (
    <Dialog title={t.title} onClose={close}>
      <Form form={form} action={t.declare} cancel={close}>
        <TextField field={form.field('year')} label={t.year} hint={t.hint} type="number" min={2000} max={2999} />
      </Form>
    </Dialog>
  );
}
