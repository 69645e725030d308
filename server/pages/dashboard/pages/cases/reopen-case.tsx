import { client } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { optionsOf } from '../applications/words.ts';
import { type ReopenReason, type ReviewCase, useCaseNames } from './case-words.ts';
import { matching, useCaseChanged } from './changed.ts';

const words = inLanguages({
  en: {
    title: 'Reopen the case',
    reason: 'Why',
    choose: 'Choose a reason',
    note: 'Note',
    hint: 'It becomes a note of the case: at least ten characters.',
    reopen: 'Reopen',
    done: 'The case is open again, and yours.',
    missing: { reasonCode: 'Choose a reason.', note: 'Write why.' },
  },
  pt: {
    title: 'Reabrir o caso',
    reason: 'Motivo',
    choose: 'Escolha um motivo',
    note: 'Observação',
    hint: 'Ela se torna uma nota do caso: ao menos dez caracteres.',
    reopen: 'Reabrir',
    done: 'O caso está aberto de novo, e é seu.',
    missing: { reasonCode: 'Escolha um motivo.', note: 'Escreva por quê.' },
  },
});

export function ReopenCase({ reviewCase, close }: { readonly reviewCase: ReviewCase; readonly close: () => void }) {
  const t = useWords(words);
  const names = useCaseNames();
  const keyFor = useIdempotencyKey();
  const changed = useCaseChanged();
  const { id } = reviewCase;
  const initial: { readonly reasonCode: ReopenReason | ''; readonly note: string } = { reasonCode: '', note: '' };
  const form = useForm({
    initial,
    required: t.missing,
    submit: async ({ reasonCode, note }) => {
      if (reasonCode === '') return;
      const body = { reasonCode, note: note.trim() };
      const header = { ...matching(reviewCase), 'Idempotency-Key': keyFor({ id, body }) };
      await answerOf(client.POST('/v1/cases/{caseId}/reopen', { params: { path: { caseId: id }, header }, body }));
      await changed(id);
      announce(t.done);
      close();
    },
  });
  return (
    <Dialog title={t.title} onClose={close}>
      <Form form={form} action={t.reopen} cancel={close}>
        <SelectField
          field={form.field('reasonCode')}
          label={t.reason}
          options={[['', t.choose], ...optionsOf(names.reopenReasons)]}
        />
        <TextArea field={form.field('note')} label={t.note} hint={t.hint} maxLength={4000} />
      </Form>
    </Dialog>
  );
}
