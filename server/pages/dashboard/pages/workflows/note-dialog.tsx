/**
 * A dialog that asks for a note before something is done. Used by the actions on processes, instances and incidents.
 */
import { inLanguages, useWords } from '../../core/language.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { useWorkflowsChanged } from './workflow-words.ts';

const words = inLanguages({
  en: { note: 'Note', hint: 'Why: at least ten characters.', missing: 'Write why.' },
  pt: { note: 'Observação', hint: 'Por quê: ao menos dez caracteres.', missing: 'Escreva por quê.' },
});

interface Props {
  readonly title: string;
  readonly about: string;
  readonly done: string;
  readonly danger?: boolean;
  readonly close: () => void;
  readonly send: (note: string, idempotencyKey: string) => Promise<unknown>;
}

export function NoteDialog({ title, about, done, danger = false, close, send }: Props) {
  const t = useWords(words);
  const keyFor = useIdempotencyKey();
  const changed = useWorkflowsChanged();
  const form = useForm({
    initial: { note: '' },
    required: { note: t.missing },
    submit: async ({ note }) => {
      const text = note.trim();
      try {
        await send(text, keyFor({ title, text }));
      } finally {
        // A refusal says that the record is another than the one that was shown.
        await changed();
      }
      announce(done);
      close();
    },
  });
  return (
    <Dialog title={title} onClose={close}>
      <p>{about}</p>
      <Form form={form} action={title} danger={danger} cancel={close}>
        <TextArea field={form.field('note')} label={t.note} hint={t.hint} maxLength={4000} />
      </Form>
    </Dialog>
  );
}
