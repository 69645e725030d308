/** The dialog that takes up, escalates or ends an alert, with a reason. Opened by monitoring-page.tsx. */
import { useQueryClient } from '@tanstack/react-query';
import { api, client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { RadioGroup, SelectField, TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { isReasonAllowed } from '../applications/reason-rules.ts';
import { keysOf } from '../applications/words.ts';
import { type Alert, type Outcome, OUTCOMES, useMonitoringNames } from './monitoring-words.ts';

const words = inLanguages({
  en: {
    title: 'Deal with the alert',
    outcome: 'What becomes of it?',
    reason: 'Why',
    note: 'Note',
    hint: 'What it rests on: at least ten characters.',
    save: 'Save',
    choose: 'Choose a reason',
    missing: { outcome: 'Choose what becomes of it.', reasonCode: 'Choose a reason.', note: 'Write what it rests on.' },
    done: 'Noted.',
    critical: 'A critical alert is not dismissed: decide about its hit, or hand it on.',
  },
  pt: {
    title: 'Tratar o alerta',
    outcome: 'O que se faz com ele?',
    reason: 'Motivo',
    note: 'Observação',
    hint: 'Em que se apoia: ao menos dez caracteres.',
    save: 'Salvar',
    choose: 'Escolha um motivo',
    missing: {
      outcome: 'Escolha o que se faz com ele.',
      reasonCode: 'Escolha um motivo.',
      note: 'Escreva em que se apoia.',
    },
    done: 'Anotado.',
    critical: 'Um alerta crítico não é dispensado: decida sobre a ocorrência, ou encaminhe-o.',
  },
});

type Reason = Schemas['AlertTriage']['reasonCode'];

export function TriageDialog({
  alert: { id, status, severity },
  close,
}: {
  readonly alert: Alert;
  readonly close: () => void;
}) {
  const t = useWords(words);
  const names = useMonitoringNames();
  const queries = useQueryClient();
  const keyFor = useIdempotencyKey();
  const isCritical = severity === 'critical';
  const outcomes = OUTCOMES[status].filter((outcome) => !isCritical || outcome !== 'dismiss');
  const settings = api.useQuery('get', '/v1/settings', { params: { query: { section: 'decisionPolicy' } } });
  const catalogue = settings.data?.decisionPolicy?.reasonCatalogue ?? [];
  const initial: { readonly outcome: Outcome | ''; readonly reasonCode: Reason | ''; readonly note: string } = {
    outcome: '',
    reasonCode: '',
    note: '',
  };
  const form = useForm({
    initial,
    required: t.missing,
    submit: async ({ outcome, reasonCode, note }) => {
      if (outcome === '' || reasonCode === '') return;
      const body = { outcome, reasonCode, note: note.trim() };
      await answerOf(
        client.POST('/v1/monitoring/alerts/{alertId}/triage', {
          params: { path: { alertId: id }, header: { 'Idempotency-Key': keyFor({ id, status, body }) } },
          body,
        }),
      );
      await Promise.all([
        queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/monitoring/alerts').queryKey }),
        queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/monitoring/coverage').queryKey }),
      ]);
      announce(t.done);
      close();
    },
  });
  const { outcome, reasonCode } = form.values;
  const reasonsFor = (chosen: Outcome | ''): readonly Reason[] =>
    keysOf(names.reasons).filter((code) => isReasonAllowed(catalogue, 'alert', code, chosen));
  const choice = {
    ...form.field('outcome'),
    change: (chosen: Outcome | '') => {
      form.field('outcome').change(chosen);
      if (reasonCode !== '' && !reasonsFor(chosen).includes(reasonCode)) form.set({ reasonCode: '' });
    },
  };
  return (
    <Dialog title={t.title} onClose={close}>
      {isCritical && <p className="muted">{t.critical}</p>}
      <Form form={form} action={t.save} cancel={close}>
        <RadioGroup
          field={choice}
          label={t.outcome}
          options={outcomes.map((value) => ({ value, label: names.outcomes[value] }))}
        />
        <SelectField
          field={{ ...form.field('reasonCode'), closed: outcome === '' }}
          label={t.reason}
          options={[['', t.choose], ...reasonsFor(outcome).map((code) => [code, names.reasons[code]] as const)]}
        />
        <TextArea field={form.field('note')} label={t.note} hint={t.hint} maxLength={4000} />
      </Form>
    </Dialog>
  );
}
