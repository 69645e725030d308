/**
 * The dialog that records that a customer is no longer one. Opened by actions.tsx. The time for which it must be kept
 * counts from the year after.
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

type Reason = Schemas['RelationshipEnd']['reasonCode'];

const words = inLanguages({
  en: {
    title: 'End the relationship',
    who: { application: 'The person', business: 'The company' },
    text: (who: string) =>
      `${who} is no longer a customer, from now on. The approval stays on record; how long it must be kept counts ` +
      'from the year after.',
    end: 'End the relationship',
    reason: 'Why',
    note: 'Note',
    noteHint: 'At least ten characters, for your own records.',
    done: 'The end of the relationship is noted.',
    reasons: {
      customer_request: 'The customer asked for it',
      institution_decision: 'Decision of the institution',
      deceased: 'The customer has died',
      other: 'Another reason',
    } satisfies Record<Reason, string>,
  },
  pt: {
    title: 'Encerrar o relacionamento',
    who: { application: 'A pessoa', business: 'A empresa' },
    text: (who: string) =>
      `${who} deixa de ser cliente a partir de agora. A aprovação continua registrada; o prazo de guarda conta a ` +
      'partir do ano seguinte.',
    end: 'Encerrar o relacionamento',
    reason: 'Motivo',
    note: 'Observação',
    noteHint: 'Ao menos dez caracteres, para os seus próprios registros.',
    done: 'O fim do relacionamento foi registrado.',
    reasons: {
      customer_request: 'O cliente pediu',
      institution_decision: 'Decisão da instituição',
      deceased: 'O cliente faleceu',
      other: 'Outro motivo',
    } satisfies Record<Reason, string>,
  },
});

export function EndRelationship({ subject, close }: { readonly subject: Subject; readonly close: () => void }) {
  const t = useWords(words);
  const keyFor = useIdempotencyKey();
  const readAgain = useReadAgain(subject);
  const { id, version } = subject;
  const initial: { readonly reasonCode: Reason; readonly note: string } = { reasonCode: 'customer_request', note: '' };
  const form = useForm({
    initial,
    submit: async ({ reasonCode, note }) => {
      const body = { reasonCode, ...(note.trim() !== '' && { note: note.trim() }) };
      await callsOf(subject).end(body, keyFor({ id, version, body }));
      await readAgain();
      announce(t.done);
      close();
    },
  });
  return (
    <Dialog title={t.title} onClose={close}>
      <p className="muted">{t.text(t.who[subject.kind])}</p>
      <Form form={form} action={t.end} cancel={close}>
        <SelectField field={form.field('reasonCode')} label={t.reason} options={optionsOf(t.reasons)} />
        <TextArea field={form.field('note')} label={t.note} hint={t.noteHint} optional maxLength={2000} />
      </Form>
    </Dialog>
  );
}
