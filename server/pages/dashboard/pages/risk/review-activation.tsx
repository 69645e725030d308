import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { optionsOf } from '../applications/words.ts';
import type { Activation } from './activation.tsx';
import { useRiskChanged } from './changed.ts';

type Review = Schemas['RiskActivationReview'];
type Verdict = Review['verdict'];

const words = inLanguages({
  en: {
    title: 'Review of the activation',
    proposed: (name: string) => `Requested by ${name}. Your verdict is about the content and the results on this page.`,
    verdict: 'Verdict',
    choose: 'Choose a verdict',
    verdicts: {
      confirm: 'Confirm: it becomes active, and all subjects are assessed again',
      return: 'Return: it is a draft again',
    } satisfies Record<Verdict, string>,
    note: 'Note',
    noteHint: 'What you looked at: at least ten characters.',
    send: 'Give the verdict',
    confirmed: 'It is active.',
    returned: 'It is a draft again.',
    missing: { verdict: 'Choose a verdict.', note: 'Write what you looked at.' },
  },
  pt: {
    title: 'Revisão da ativação',
    proposed: (name: string) => `Pedida por ${name}. O seu parecer é sobre o conteúdo e os resultados desta página.`,
    verdict: 'Parecer',
    choose: 'Escolha um parecer',
    verdicts: {
      confirm: 'Confirmar: passa a valer, e todos são avaliados de novo',
      return: 'Devolver: volta a ser rascunho',
    } satisfies Record<Verdict, string>,
    note: 'Observação',
    noteHint: 'O que você examinou: ao menos dez caracteres.',
    send: 'Dar o parecer',
    confirmed: 'Está em vigor.',
    returned: 'É um rascunho de novo.',
    missing: { verdict: 'Escolha um parecer.', note: 'Escreva o que você examinou.' },
  },
});

interface ReviewProps {
  readonly activation: Activation;
  readonly close: () => void;
  readonly send: (review: Review, idempotencyKey: string) => Promise<unknown>;
}

/** The second person's verdict about the activation of a model or a list, on the evidence that the page shows. */
export function ReviewActivation({ activation: { id, evidenceDigest, requestedBy }, close, send }: ReviewProps) {
  const t = useWords(words);
  const keyFor = useIdempotencyKey();
  const changed = useRiskChanged();
  const initial: { readonly verdict: Verdict | ''; readonly note: string } = { verdict: '', note: '' };
  const form = useForm({
    initial,
    required: t.missing,
    submit: async ({ verdict, note }) => {
      if (verdict === '') return;
      const review = { verdict, note: note.trim(), evidenceDigest };
      try {
        await send(review, keyFor({ id, review }));
      } finally {
        // A verdict on evidence that has changed also makes the version a draft again.
        await changed();
      }
      announce(verdict === 'confirm' ? t.confirmed : t.returned);
      close();
    },
  });
  return (
    <Dialog title={t.title} onClose={close}>
      <p>{t.proposed(requestedBy.display)}</p>
      <Form form={form} action={t.send} cancel={close}>
        <SelectField
          field={form.field('verdict')}
          label={t.verdict}
          options={[['', t.choose], ...optionsOf(t.verdicts)]}
        />
        <TextArea field={form.field('note')} label={t.note} hint={t.noteHint} maxLength={4000} />
      </Form>
    </Dialog>
  );
}
