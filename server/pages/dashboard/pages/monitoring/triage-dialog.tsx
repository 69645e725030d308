import { useQueryClient } from '@tanstack/react-query';
import { api, client, type Schemas } from '../../app/api.ts';
import { inLanguages, useWords } from '../../app/language.ts';
import { answerOf } from '../../app/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { RadioGroup, SelectField, TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { optionsOf } from '../applications/words.ts';
import { type Alert, type Outcome, OUTCOMES, useMonitoringNames } from './monitoring-words.ts';

const words = inLanguages({
  en: { title: 'Deal with the alert', outcome: 'What becomes of it?', reason: 'Why', note: 'Note', hint: 'What it rests on: at least ten characters.', save: 'Save', missing: 'Write what it rests on.', done: 'Noted.', critical: 'A critical alert is not dismissed: decide about its hit, or hand it on.' },
  pt: { title: 'Tratar o alerta', outcome: 'O que se faz com ele?', reason: 'Motivo', note: 'Observação', hint: 'Em que se apoia: ao menos dez caracteres.', save: 'Salvar', missing: 'Escreva em que se apoia.', done: 'Anotado.', critical: 'Um alerta crítico não é dispensado: decida sobre a ocorrência, ou encaminhe-o.' },
});

export function TriageDialog({ alert: { id, status, severity }, close }: { readonly alert: Alert; readonly close: () => void }) {
  const t = useWords(words);
  const names = useMonitoringNames();
  const queries = useQueryClient();
  const keyFor = useIdempotencyKey();
  const isCritical = severity === 'critical';
  const outcomes = OUTCOMES[status].filter((outcome) => !isCritical || outcome !== 'dismiss');
  const initial: { readonly outcome: Outcome; readonly reasonCode: Schemas['AlertTriage']['reasonCode']; readonly note: string } = { outcome: outcomes[0] ?? 'escalate', reasonCode: 'needs_investigation', note: '' };
  const form = useForm({
    initial,
    required: { note: t.missing },
    submit: async ({ outcome, reasonCode, note }) => {
      const body = { outcome, reasonCode, note: note.trim() };
      await answerOf(client.POST('/v1/monitoring/alerts/{alertId}/triage', { params: { path: { alertId: id }, header: { 'Idempotency-Key': keyFor({ id, status, body }) } }, body }));
      await Promise.all([
        queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/monitoring/alerts').queryKey }), queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/monitoring/coverage').queryKey }),
      ]);
      announce(t.done);
      close();
    },
  });
  return (
    <Dialog title={t.title} onClose={close}>
      {isCritical && <p className="muted">{t.critical}</p>}
      <Form form={form} action={t.save} cancel={close}>
        <RadioGroup field={form.field('outcome')} label={t.outcome} options={outcomes.map((value) => ({ value, label: names.outcomes[value] }))} />
        <SelectField field={form.field('reasonCode')} label={t.reason} options={optionsOf(names.reasons)} />
        <TextArea field={form.field('note')} label={t.note} hint={t.hint} maxLength={4000} />
      </Form>
    </Dialog>
  );
}
