/**
 * The dialog that asks for a code of the authenticator when a call needs one. Used by root.tsx; calls reach it through
 * core/step-up.ts. Closing it cancels the call.
 */
import { useEffect, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form, useForm } from '../ui/form.tsx';
import { inLanguages, useWords } from '../core/language.ts';
import { answerWith, type TypedCode } from '../core/step-up.ts';

const words = inLanguages({
  en: {
    title: 'Confirm that it is you',
    lead: 'This needs a fresh code of your authenticator. It counts for five minutes.',
    code: 'Code of your authenticator',
    enter: 'Enter the six digits that your authenticator shows.',
    wrong: 'Wrong, or used before. Wait for the next code.',
    confirm: 'Confirm',
    none: 'No authenticator yet? Enrol one under Account first.',
  },
  pt: {
    title: 'Confirme que é você',
    lead: 'Isto pede um código novo do seu autenticador. Ele vale por cinco minutos.',
    code: 'Código do seu autenticador',
    enter: 'Digite os seis dígitos que o autenticador mostra.',
    wrong: 'Errado, ou já usado. Espere o próximo código.',
    confirm: 'Confirmar',
    none: 'Ainda não tem autenticador? Cadastre um em Conta.',
  },
});

interface Question {
  readonly answer: (code: TypedCode | null) => void;
}

/** Asks for a code of the authenticator if a call needs one, repeatedly until it is accepted or cancelled. */
export function StepUpDialog() {
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(() => {
    answerWith(() => new Promise((resolve) => setQuestion({ answer: resolve })));
  }, []);
  return question === null ? null : <CodeDialog question={question} close={() => setQuestion(null)} />;
}

function CodeDialog({ question, close }: { readonly question: Question; readonly close: () => void }) {
  const t = useWords(words);
  const form = useForm({
    initial: { code: '' },
    required: { code: t.enter },
    submit: async ({ code }) => {
      if (!/^\d{6}$/.test(code.trim())) throw new WrongCode();
      const accepted = await new Promise<boolean>((resolve) => {
        question.answer({ value: code.trim(), accepted: () => resolve(true), refused: () => resolve(false) });
      });
      if (!accepted) throw new WrongCode();
      close();
    },
    handle: (error) => (error instanceof WrongCode ? { code: [t.wrong] } : null),
  });
  const giveUp = () => {
    question.answer(null);
    close();
  };
  return (
    <Dialog title={t.title} onClose={giveUp}>
      <p className="muted">{t.lead}</p>
      <Form form={form} action={t.confirm} cancel={giveUp}>
        <TextField
          field={form.field('code')}
          label={t.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          className="code-input"
        />
      </Form>
      <p className="hint">{t.none}</p>
    </Dialog>
  );
}

class WrongCode extends Error {}
