/**
 * The dialog that destroys the data of an application or a company. Opened by actions.tsx. It cannot be undone, needs
 * a fresh second factor, and is refused while the law requires the data to be kept.
 */
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Schemas } from '../../../core/api.ts';
import { inLanguages, useWords } from '../../../core/language.ts';
import { isProblem, type Problem } from '../../../core/problem.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField, TextField } from '../../../ui/fields.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { useFormat } from '../../../ui/format.ts';
import { useIdempotencyKey } from '../../../ui/idempotency-key.ts';
import { Problems } from '../../../ui/problems.tsx';
import { announce } from '../../../ui/toasts.tsx';
import { callsOf } from '../subject-calls.ts';
import type { Subject } from '../subject.ts';
import { optionsOf } from '../words.ts';

type Reason = Schemas['ErasureRequest']['reason'];

const words = inLanguages({
  en: {
    title: { application: 'Erase the application', business: 'Erase the company' },
    text:
      'The data, the files and the notes are destroyed, and nobody can bring them back. That it was there, and what ' +
      'was decided, stays in the audit log.',
    erase: 'Erase for good',
    reason: 'Why',
    reference: 'Reference of the request',
    referenceHint:
      'Letters and digits, such as dsr-2031/118. It stays in the audit log, so it must not name the person.',
    done: { application: 'The application is erased.', business: 'The company is erased.' },
    reasons: {
      data_subject_request: 'The person asks for it',
      retention_expired: 'It need no longer be kept',
    } satisfies Record<Reason, string>,
    held: (day: string, law: string) => `It must be kept to the end of ${day} (${law}).`,
    who: { application: 'the person', business: 'the company' },
    heldOn: (law: string, who: string) =>
      `It must be kept as long as ${who} is a customer, and ten years more (${law}). End the relationship first.`,
  },
  pt: {
    title: { application: 'Apagar a solicitação', business: 'Apagar a empresa' },
    text:
      'Os dados, os arquivos e as observações são destruídos, e ninguém os recupera. Que ela existiu, e o que foi ' +
      'decidido, fica na trilha de auditoria.',
    erase: 'Apagar de vez',
    reason: 'Motivo',
    reference: 'Referência do pedido',
    referenceHint:
      'Letras e números, por exemplo dsr-2031/118. Fica na trilha de auditoria, por isso não ' +
      'deve identificar a pessoa.',
    done: { application: 'A solicitação foi apagada.', business: 'A empresa foi apagada.' },
    reasons: { data_subject_request: 'A pessoa pediu', retention_expired: 'O prazo de guarda acabou' } satisfies Record<
      Reason,
      string
    >,
    held: (day: string, law: string) => `Ela precisa ser guardada até o fim de ${day} (${law}).`,
    who: { application: 'a pessoa', business: 'a empresa' },
    heldOn: (law: string, who: string) =>
      `Ela precisa ser guardada enquanto ${who} for cliente, e por mais dez anos (${law}). ` +
      'Encerre antes o relacionamento.',
  },
});

/** Erases the record after a second factor. If retention by law forbids it, shows until when. */
export function Erase({ subject, close }: { readonly subject: Subject; readonly close: () => void }) {
  const t = useWords(words);
  const format = useFormat();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const keyFor = useIdempotencyKey();
  const [hold, setHold] = useState<Problem | null>(null);
  const { id, version, kind } = subject;
  const initial: { readonly reason: Reason; readonly requestRef: string } = {
    reason: 'data_subject_request',
    requestRef: '',
  };
  const form = useForm({
    initial,
    handle: (error) => {
      if (!isProblem(error) || error.code !== 'retention_hold') return null;
      setHold(error);
      return true;
    },
    submit: async ({ reason, requestRef }) => {
      const body = { reason, ...(requestRef.trim() !== '' && { requestRef: requestRef.trim() }) };
      await callsOf(subject).erase(body, keyFor({ id, version, body }));
      await navigate({ to: kind === 'application' ? '/applications' : '/businesses' });
      // The browser's cached data is deleted too.
      queries.clear();
      announce(t.done[kind]);
    },
  });
  return (
    <Dialog title={t.title[kind]} onClose={close}>
      {hold !== null && (
        <Problems error={hold}>
          <p>
            {hold.holdUntil == null
              ? t.heldOn(hold.legalBasis ?? '', t.who[kind])
              : t.held(format.day(hold.holdUntil), hold.legalBasis ?? '')}
          </p>
        </Problems>
      )}
      <p className="muted">{t.text}</p>
      <Form form={form} action={t.erase} danger cancel={close}>
        <SelectField field={form.field('reason')} label={t.reason} options={optionsOf(t.reasons)} />
        <TextField
          field={form.field('requestRef')}
          label={t.reference}
          hint={t.referenceHint}
          optional
          maxLength={100}
        />
      </Form>
    </Dialog>
  );
}
