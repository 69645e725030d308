import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { nameOf, optionsOf } from '../applications/words.ts';
import { type Resolution, type ReviewCase, useCaseNames } from './case-words.ts';
import { matching, useCaseChanged } from './changed.ts';

type Verdict = Schemas['CaseResolutionReview']['verdict'];

const words = inLanguages({
  en: {
    title: 'Review of the resolution',
    proposed: (what: string, name: string) => `${what}, proposed by ${name}.`,
    verdict: 'Verdict',
    choose: 'Choose a verdict',
    verdicts: {
      confirm: 'Confirm: the case is resolved',
      return: 'Return: the case goes back to work',
    } satisfies Record<Verdict, string>,
    note: 'Note',
    noteHint: 'What you looked at: at least ten characters.',
    send: 'Give the verdict',
    confirmed: 'The case is resolved.',
    returned: 'The case is in work again.',
    missing: { verdict: 'Choose a verdict.', note: 'Write what you looked at.' },
  },
  pt: {
    title: 'Revisão da conclusão',
    proposed: (what: string, name: string) => `${what}, proposta por ${name}.`,
    verdict: 'Parecer',
    choose: 'Escolha um parecer',
    verdicts: {
      confirm: 'Confirmar: o caso é concluído',
      return: 'Devolver: o caso volta ao trabalho',
    } satisfies Record<Verdict, string>,
    note: 'Observação',
    noteHint: 'O que você examinou: ao menos dez caracteres.',
    send: 'Dar o parecer',
    confirmed: 'O caso está concluído.',
    returned: 'O caso voltou ao trabalho.',
    missing: { verdict: 'Escolha um parecer.', note: 'Escreva o que você examinou.' },
  },
});

/** The second person's verdict about a resolution, on the evidence that the page shows. */
export function ReviewResolution({
  reviewCase,
  resolution,
  close,
}: {
  readonly reviewCase: ReviewCase;
  readonly resolution: Resolution;
  readonly close: () => void;
}) {
  const t = useWords(words);
  const names = useCaseNames();
  const keyFor = useIdempotencyKey();
  const changed = useCaseChanged();
  const initial: { readonly verdict: Verdict | ''; readonly note: string } = { verdict: '', note: '' };
  const { id, evidenceDigest = '' } = reviewCase;
  const form = useForm({
    initial,
    required: t.missing,
    submit: async ({ verdict, note }) => {
      if (verdict === '') return;
      const body = { verdict, note: note.trim(), evidenceDigest };
      const header = { ...matching(reviewCase), 'Idempotency-Key': keyFor({ id: resolution.id, body }) };
      const params = { path: { caseId: id, resolutionId: resolution.id }, header };
      try {
        await answerOf(client.POST('/v1/cases/{caseId}/resolutions/{resolutionId}/review', { params, body }));
      } finally {
        // A verdict on evidence that has changed also changes the case.
        await changed(id);
      }
      announce(verdict === 'confirm' ? t.confirmed : t.returned);
      close();
    },
  });
  return (
    <Dialog title={t.title} onClose={close}>
      <p>{t.proposed(nameOf(names.outcomes, resolution.outcome), resolution.madeBy.display)}</p>
      <p className="hint">{resolution.reasonCodes.map((code) => nameOf(names.reasons, code)).join(', ')}</p>
      <p>{resolution.note}</p>
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
