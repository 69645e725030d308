/** The narrative of a report, which is written here until the report ends. Used by report-page.tsx. */
import { client } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { announce } from '../../ui/toasts.tsx';
import { isOpen, matching, type Report, useReportChanged } from './report-words.ts';

const words = inLanguages({
  en: {
    title: 'Narrative',
    label: 'What was observed, why it is suspicious and what was verified',
    save: 'Save the narrative',
    saved: 'The narrative is saved.',
    none: 'There is no narrative.',
  },
  pt: {
    title: 'Relato',
    label: 'O que se observou, por que é suspeito e o que se verificou',
    save: 'Salvar o relato',
    saved: 'O relato foi salvo.',
    none: 'Não há relato.',
  },
});

export function ReportNarrative({ report }: { readonly report: Report }) {
  const t = useWords(words);
  const { narrative = null } = report;
  if (report.kind === 'non_occurrence' && narrative === null && !isOpen(report)) return null;
  return (
    <Section title={t.title}>
      {isOpen(report) ? <Editor report={report} /> : <p className="report-narrative">{narrative ?? t.none}</p>}
    </Section>
  );
}

function Editor({ report }: { readonly report: Report }) {
  const t = useWords(words);
  const changed = useReportChanged();
  const form = useForm({
    initial: { narrative: report.narrative ?? '' },
    submit: async ({ narrative }) => {
      const body = { narrative: narrative.trim() === '' ? null : narrative.trim() };
      const params = { path: { reportId: report.id }, header: matching(report) };
      changed(await answerOf(client.PATCH('/v1/cases/reports/{reportId}', { params, body })));
      announce(t.saved);
    },
  });
  return (
    <Form form={form} action={t.save}>
      <TextArea field={form.field('narrative')} label={t.label} rows={12} maxLength={20_000} />
    </Form>
  );
}
