/**
 * The dialog that rejects or withdraws a proposed version. Opened by watch-lists-page.tsx. The active version stays.
 */
import { client } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { useListsChanged, type WatchList } from './list-words.ts';

const words = inLanguages({
  en: {
    return: {
      title: 'Return the proposed version?',
      action: 'Return it',
      done: 'The proposal is returned. The active version stays.',
    },
    withdraw: {
      title: 'Withdraw your proposal?',
      action: 'Withdraw it',
      done: 'Your proposal is withdrawn. The active version stays.',
    },
    text: (version: string, list: string) => `Version ${version} of ${list} will not become active.`,
    note: 'Why',
    noteHint: 'Administrators and the audit log see it.',
    missing: 'Say why.',
  },
  pt: {
    return: {
      title: 'Devolver a versão proposta?',
      action: 'Devolver',
      done: 'A proposta foi devolvida. A versão ativa permanece.',
    },
    withdraw: {
      title: 'Retirar sua proposta?',
      action: 'Retirar',
      done: 'Sua proposta foi retirada. A versão ativa permanece.',
    },
    text: (version: string, list: string) => `A versão ${version} de ${list} não entrará em vigor.`,
    note: 'Por quê',
    noteHint: 'Administradores e a trilha de auditoria o veem.',
    missing: 'Diga por quê.',
  },
});

/** Rejects or withdraws a version that waits for a second administrator. */
export function ReturnDialog({
  list: { id, title, proposal },
  action,
  onClose,
}: {
  readonly list: WatchList;
  readonly action: 'return' | 'withdraw';
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const changed = useListsChanged();
  const keyFor = useIdempotencyKey();
  const form = useForm({
    initial: { note: '' },
    required: { note: t.missing },
    submit: async ({ note }) => {
      const body = { sha256: proposal?.sha256 ?? '', note: note.trim() };
      await answerOf(
        client.POST('/v1/admin/screening-lists/{listId}/proposal/return', {
          params: { path: { listId: id }, header: { 'Idempotency-Key': keyFor({ id, ...body }) } },
          body,
        }),
      );
      onClose();
      announce(t[action].done);
      await changed();
    },
  });
  return (
    <Dialog title={t[action].title} onClose={onClose}>
      <p>{t.text(proposal?.version ?? '', title)}</p>
      <Form form={form} action={t[action].action} danger cancel={onClose}>
        <TextArea field={form.field('note')} label={t.note} hint={t.noteHint} maxLength={500} />
      </Form>
    </Dialog>
  );
}
