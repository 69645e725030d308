/** The dialog that ends the analysis of a suspicious operation. Opened by report-actions.tsx. */
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { announce } from '../../ui/toasts.tsx';
import { matching, type Report, useReportChanged } from './report-words.ts';

type Decision = NonNullable<Schemas['ReportUpdate']['decision']>;

const words = inLanguages({
  en: {
    title: 'Decide whether to report',
    decision: 'Decision',
    choose: 'Choose a decision',
    report: 'Report it to the authority',
    noReport: 'Do not report it',
    note: 'Reasons',
    hint: 'At least ten characters. They stay with the report.',
    decide: 'Decide',
    done: 'The report is decided.',
    missing: { decision: 'Choose a decision.', decisionNote: 'Write the reasons.' },
  },
  pt: {
    title: 'Decidir se será comunicada',
    decision: 'Decisão',
    choose: 'Escolha uma decisão',
    report: 'Comunicar à autoridade',
    noReport: 'Não comunicar',
    note: 'Razões',
    hint: 'Ao menos dez caracteres. Elas ficam com a comunicação.',
    decide: 'Decidir',
    done: 'A comunicação foi decidida.',
    missing: { decision: 'Escolha uma decisão.', decisionNote: 'Escreva as razões.' },
  },
});

export function DecideReport({ report, close }: { readonly report: Report; readonly close: () => void }) {
  const t = useWords(words);
  const changed = useReportChanged();
  const initial: { readonly decision: Decision | ''; readonly decisionNote: string } = {
    decision: '',
    decisionNote: '',
  };
  const form = useForm({
    initial,
    required: t.missing,
    submit: async ({ decision, decisionNote }) => {
      if (decision === '') return;
      const params = { path: { reportId: report.id }, header: matching(report) };
      const body = { decision, decisionNote: decisionNote.trim() };
      changed(await answerOf(client.PATCH('/v1/cases/reports/{reportId}', { params, body })));
      announce(t.done);
      close();
    },
  });
  return (
    <Dialog title={t.title} onClose={close}>
      <Form form={form} action={t.decide} cancel={close}>
        <SelectField
          field={form.field('decision')}
          label={t.decision}
          options={[
            ['', t.choose],
            ['report', t.report],
            ['no_report', t.noReport],
          ]}
        />
        <TextArea field={form.field('decisionNote')} label={t.note} hint={t.hint} maxLength={4000} />
      </Form>
    </Dialog>
  );
}
