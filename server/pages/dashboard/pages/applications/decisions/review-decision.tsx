/**
 * The dialog of the second person, who confirms or returns a decision. Opened by decisions.tsx. It is refused if the
 * evidence has changed since it was shown.
 */
import type { Schemas } from '../../../core/api.ts';
import { inLanguages, useWords } from '../../../core/language.ts';
import { isProblem } from '../../../core/problem.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField, TextArea } from '../../../ui/fields.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { useIdempotencyKey } from '../../../ui/idempotency-key.ts';
import { announce } from '../../../ui/toasts.tsx';
import { callsOf } from '../subject-calls.ts';
import { nameOf, optionsOf } from '../words.ts';
import { type Decision, useDecisionNames } from './decision-words.ts';
import type { DeciderProps } from './make-decision.tsx';
import { Signals } from './signals.tsx';

type Verdict = Schemas['DecisionReview']['verdict'];

const words = inLanguages({
  en: {
    title: 'Second review',
    proposed: (what: string, name: string) => `${what}, proposed by ${name}.`,
    verdict: 'Verdict',
    note: 'Note',
    noteHint: 'What you looked at: at least ten characters.',
    send: 'Give the verdict',
    verdicts: { confirm: 'Confirm: it takes effect', return: 'Return into the review' } satisfies Record<
      Verdict,
      string
    >,
    confirmed: 'The decision is in effect.',
    returned: 'It is in review again.',
    choose: 'Choose a verdict',
    missing: { verdict: 'Choose a verdict.', note: 'Write what you looked at.' },
  },
  pt: {
    title: 'Segunda revisão',
    proposed: (what: string, name: string) => `${what}, proposta por ${name}.`,
    verdict: 'Parecer',
    note: 'Observação',
    noteHint: 'O que você examinou: ao menos dez caracteres.',
    send: 'Dar o parecer',
    verdicts: { confirm: 'Confirmar: passa a valer', return: 'Devolver para a análise' } satisfies Record<
      Verdict,
      string
    >,
    confirmed: 'A decisão está em vigor.',
    returned: 'Voltou para análise.',
    choose: 'Escolha um parecer',
    missing: { verdict: 'Escolha um parecer.', note: 'Escreva o que você examinou.' },
  },
});

/** The second review of a decision, on the evidence that the page shows. */
export function ReviewDecision({
  subject,
  decision,
  read,
  stale,
  close,
}: DeciderProps & { readonly decision: Decision }) {
  const t = useWords(words);
  const names = useDecisionNames();
  const keyFor = useIdempotencyKey();
  const { evidenceDigest = '', signals } = subject;
  const initial: { readonly verdict: Verdict | ''; readonly note: string } = { verdict: '', note: '' };
  const form = useForm({
    initial,
    required: t.missing,
    handle: (error) => {
      if (!isProblem(error) || error.code !== 'evidence_changed') return null;
      stale(error);
      return true;
    },
    submit: async ({ verdict, note }) => {
      if (verdict === '') return;
      const body = { verdict, note: note.trim(), evidenceDigest };
      await callsOf(subject).review(decision.id, body, keyFor({ id: decision.id, body }));
      await read();
      announce(verdict === 'confirm' ? t.confirmed : t.returned);
      close();
    },
  });
  const { outcome, reasonCodes, note, madeBy } = decision;
  return (
    <Dialog title={t.title} onClose={close}>
      <Signals signals={signals} />
      <p>{t.proposed(names.outcomes[outcome], madeBy.display)}</p>
      <p className="hint">{reasonCodes.map((code) => nameOf(names.reasons, code)).join(', ')}</p>
      <p>{note}</p>
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
