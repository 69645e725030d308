/**
 * The dialog that takes a decided application or company back into review. Opened by decisions.tsx. An approval no
 * longer holds afterwards.
 */
import type { Schemas } from '../../../core/api.ts';
import { inLanguages, useWords } from '../../../core/language.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField, TextArea } from '../../../ui/fields.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { useIdempotencyKey } from '../../../ui/idempotency-key.ts';
import { announce } from '../../../ui/toasts.tsx';
import { useReadAgain } from '../changed.ts';
import { callsOf } from '../subject-calls.ts';
import type { Subject } from '../subject.ts';
import { optionsOf } from '../words.ts';

type Values = Schemas['ReopenRequest'];

const words = inLanguages({
  en: {
    title: { application: 'Reopen the application', business: 'Reopen the company' },
    text: 'It goes back into the review. What was decided stays on record, and an approval no longer holds.',
    reopen: 'Reopen',
    reason: 'Why',
    requested: 'Requested by',
    note: 'Note',
    noteHint: 'At least ten characters.',
    done: 'It is in review again.',
    missing: { note: 'Enter a note.' },
    reasons: {
      data_subject_review: 'The person asks for a review',
      new_evidence: 'New evidence',
      monitoring_alert: 'Alert of the monitoring',
      error_correction: 'Correction of an error',
    } satisfies Record<Values['reasonCode'], string>,
    who: { applicant: 'The applicant', institution: 'The institution' } satisfies Record<Values['requestedBy'], string>,
  },
  pt: {
    title: { application: 'Reabrir a solicitação', business: 'Reabrir a empresa' },
    text: 'Ela volta para a análise. O que foi decidido continua registrado, e uma aprovação deixa de valer.',
    reopen: 'Reabrir',
    reason: 'Motivo',
    requested: 'A pedido de',
    note: 'Observação',
    noteHint: 'Ao menos dez caracteres.',
    done: 'Voltou para análise.',
    missing: { note: 'Escreva uma observação.' },
    reasons: {
      data_subject_review: 'A pessoa pede revisão',
      new_evidence: 'Novas evidências',
      monitoring_alert: 'Alerta do monitoramento',
      error_correction: 'Correção de um erro',
    } satisfies Record<Values['reasonCode'], string>,
    who: { applicant: 'A pessoa', institution: 'A instituição' } satisfies Record<Values['requestedBy'], string>,
  },
});

export function Reopen({ subject, close }: { readonly subject: Subject; readonly close: () => void }) {
  const t = useWords(words);
  const keyFor = useIdempotencyKey();
  const readAgain = useReadAgain(subject);
  const { id, version, kind } = subject;
  const initial: Values = { reasonCode: 'new_evidence', requestedBy: 'applicant', note: '' };
  const form = useForm({
    initial,
    required: t.missing,
    submit: async ({ note, ...chosen }) => {
      const body = { ...chosen, note: note.trim() };
      await callsOf(subject).reopen(body, keyFor({ id, version, body }));
      await readAgain();
      announce(t.done);
      close();
    },
  });
  return (
    <Dialog title={t.title[kind]} onClose={close}>
      <p className="muted">{t.text}</p>
      <Form form={form} action={t.reopen} cancel={close}>
        <SelectField field={form.field('reasonCode')} label={t.reason} options={optionsOf(t.reasons)} />
        <SelectField field={form.field('requestedBy')} label={t.requested} options={optionsOf(t.who)} />
        <TextArea field={form.field('note')} label={t.note} hint={t.noteHint} maxLength={2000} />
      </Form>
    </Dialog>
  );
}
