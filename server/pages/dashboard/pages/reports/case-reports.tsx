/** The reports about a case on its page, and how another one begins. Used by case-page.tsx, for compliance officers. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { announce } from '../../ui/toasts.tsx';
import { ReportTable } from './report-table.tsx';
import { useReportChanged, useReportNames } from './report-words.ts';

const words = inLanguages({
  en: {
    title: 'Reports to the authority',
    none: 'Nothing has been reported about this case. Nobody but compliance officers sees this part.',
    prepare: 'Prepare a report',
    kind: 'Kind',
    choose: 'Choose a kind',
    day: 'Day of the operation',
    dayHint: 'In São Paulo. The deadlines are counted from it.',
    begin: 'Begin the report',
    done: 'The report is begun, with its own copy of the case.',
    missing: { kind: 'Choose a kind.', operationOn: 'Enter the day of the operation.' },
  },
  pt: {
    title: 'Comunicações à autoridade',
    none: 'Nada foi comunicado sobre este caso. Só os responsáveis por compliance veem esta parte.',
    prepare: 'Preparar uma comunicação',
    kind: 'Tipo',
    choose: 'Escolha um tipo',
    day: 'Dia da operação',
    dayHint: 'Em São Paulo. Os prazos são contados a partir dele.',
    begin: 'Iniciar a comunicação',
    done: 'A comunicação foi iniciada, com sua própria cópia do caso.',
    missing: { kind: 'Escolha um tipo.', operationOn: 'Informe o dia da operação.' },
  },
});

export function CaseReports({ caseId }: { readonly caseId: string }) {
  const t = useWords(words);
  const [preparing, setPreparing] = useState(false);
  const reports = api.useQuery('get', '/v1/cases/reports', { params: { query: { caseId, limit: 100 } } });
  const prepare = (
    <Button small onClick={() => setPreparing(true)}>
      {t.prepare}
    </Button>
  );
  return (
    <Section title={t.title} actions={prepare}>
      <Loaded query={reports}>
        {({ items }) => (items.length === 0 ? <p className="muted">{t.none}</p> : <ReportTable rows={items} />)}
      </Loaded>
      {preparing && <PrepareReport caseId={caseId} close={() => setPreparing(false)} />}
    </Section>
  );
}

function PrepareReport({ caseId, close }: { readonly caseId: string; readonly close: () => void }) {
  const t = useWords(words);
  const { kinds } = useReportNames();
  const navigate = useNavigate();
  const keyFor = useIdempotencyKey();
  const changed = useReportChanged();
  const initial: { readonly kind: Schemas['ReportKindInput'] | ''; readonly operationOn: string } = {
    kind: '',
    operationOn: '',
  };
  const form = useForm({
    initial,
    required: ({ kind }) => (kind === 'cash_operation' ? t.missing : { kind: t.missing.kind }),
    submit: async ({ kind, operationOn }) => {
      if (kind === '') return;
      const body = { kind, ...(operationOn !== '' && { operationOn }) };
      const params = { path: { caseId }, header: { 'Idempotency-Key': keyFor({ caseId, body }) } };
      const report = await answerOf(client.POST('/v1/cases/{caseId}/reports', { params, body }));
      changed(report);
      announce(t.done);
      close();
      await navigate({ to: '/cases/reports/$reportId', params: { reportId: report.id } });
    },
  });
  return (
    <Dialog title={t.prepare} onClose={close}>
      <Form form={form} action={t.begin} cancel={close}>
        <SelectField
          field={form.field('kind')}
          label={t.kind}
          options={[
            ['', t.choose],
            ['suspicious_operation', kinds.suspicious_operation],
            ['cash_operation', kinds.cash_operation],
          ]}
        />
        <TextField
          field={form.field('operationOn')}
          type="date"
          label={t.day}
          hint={t.dayHint}
          optional={form.values.kind !== 'cash_operation'}
        />
      </Form>
    </Dialog>
  );
}
