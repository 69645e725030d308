/**
 * The dialog that asks the applicant for something again. Opened by actions.tsx, and with a draft by verifications.
 * Nothing is sent by the service: the user must pass the message on.
 */
import { client } from '../../../core/api.ts';
import { inLanguages, useWords } from '../../../core/language.ts';
import { answerOf } from '../../../core/problem.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { CheckboxGroup, SelectField, TextArea } from '../../../ui/fields.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { useIdempotencyKey } from '../../../ui/idempotency-key.ts';
import { announce } from '../../../ui/toasts.tsx';
import { matching, useReadAgain } from '../changed.ts';
import { type Application, nameOf, optionsOf, useNames } from '../words.ts';

type Reason = 'unreadable' | 'incomplete' | 'out_of_date' | 'does_not_agree' | 'other';

const words = inLanguages({
  en: {
    title: 'Ask for information',
    lead: 'The application waits until it is submitted again. Nothing is sent: pass the message on.',
    items: 'What is needed again',
    reason: 'Why',
    message: 'Message to the applicant',
    note: 'Note for colleagues',
    noteHint: 'Neither the applicant nor programs see it.',
    ask: 'Ask',
    asked: 'The application waits for the applicant.',
    reasons: {
      unreadable: 'It cannot be read',
      incomplete: 'Something is missing',
      out_of_date: 'It is out of date',
      does_not_agree: 'It does not agree with the rest',
      other: 'Another reason',
    } satisfies Record<Reason, string>,
    missing: { requirementKeys: 'Choose at least one.', messageToApplicant: 'Write what the applicant is to do.' },
  },
  pt: {
    title: 'Pedir informações',
    lead: 'A solicitação aguarda até ser enviada de novo. Nada é enviado à pessoa: transmita a mensagem.',
    items: 'O que é preciso de novo',
    reason: 'Motivo',
    message: 'Mensagem para a pessoa',
    note: 'Observação para colegas',
    noteHint: 'Nem a pessoa nem programas a veem.',
    ask: 'Pedir',
    asked: 'A solicitação aguarda a pessoa.',
    reasons: {
      unreadable: 'Não dá para ler',
      incomplete: 'Falta algo',
      out_of_date: 'Está desatualizado',
      does_not_agree: 'Não combina com o resto',
      other: 'Outro motivo',
    } satisfies Record<Reason, string>,
    missing: { requirementKeys: 'Escolha ao menos um.', messageToApplicant: 'Escreva o que a pessoa deve fazer.' },
  },
});

interface Values {
  readonly requirementKeys: readonly string[];
  readonly reasonCode: Reason;
  readonly messageToApplicant: string;
  readonly internalNote: string;
}

const INITIAL: Values = {
  requirementKeys: [],
  reasonCode: 'unreadable',
  messageToApplicant: '',
  internalNote: '',
};

/** Requests one or more requirements again, with one message for all of them. `draft` is what the form begins with. */
export function AskForInformation({
  application,
  close,
  draft = {},
}: {
  readonly application: Application;
  readonly close: () => void;
  readonly draft?: Partial<Values>;
}) {
  const t = useWords(words);
  const names = useNames();
  const keyFor = useIdempotencyKey();
  const readAgain = useReadAgain(application);
  const { id, version, requirements } = application;
  const form = useForm({
    initial: { ...INITIAL, ...draft },
    required: t.missing,
    pointers: { requirementKeys: '/items', internalNote: '/internalNote' },
    submit: async ({ requirementKeys, reasonCode, messageToApplicant, internalNote }) => {
      const items = requirementKeys.map((requirementKey) => ({
        requirementKey,
        reasonCode,
        messageToApplicant: messageToApplicant.trim(),
      }));
      const body = { items, ...(internalNote.trim() !== '' && { internalNote: internalNote.trim() }) };
      const header = { ...matching(application), 'Idempotency-Key': keyFor({ id, version, body }) };
      await answerOf(
        client.POST('/v1/applications/{applicationId}/information-requests', {
          params: { path: { applicationId: id }, header },
          body,
        }),
      );
      await readAgain();
      announce(t.asked);
      close();
    },
  });
  return (
    <Dialog title={t.title} onClose={close}>
      <p className="muted">{t.lead}</p>
      <Form form={form} action={t.ask} cancel={close}>
        <CheckboxGroup
          field={form.field('requirementKeys')}
          label={t.items}
          options={requirements.items.map(({ key }) => ({ value: key, label: nameOf(names.requirements, key) }))}
        />
        <SelectField field={form.field('reasonCode')} label={t.reason} options={optionsOf(t.reasons)} />
        <TextArea field={form.field('messageToApplicant')} label={t.message} maxLength={500} />
        <TextArea field={form.field('internalNote')} label={t.note} hint={t.noteHint} optional maxLength={2000} />
      </Form>
    </Dialog>
  );
}
