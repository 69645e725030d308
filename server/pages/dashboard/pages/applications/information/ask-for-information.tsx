/**
 * The dialog that asks an applicant or a company for something again. Opened by actions.tsx, and with a draft by
 * verifications. Nothing is sent by the service: the user must pass the message on.
 */
import { inLanguages, useWords } from '../../../core/language.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { CheckboxGroup, SelectField, TextArea } from '../../../ui/fields.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { useIdempotencyKey } from '../../../ui/idempotency-key.ts';
import { announce } from '../../../ui/toasts.tsx';
import { useReadAgain } from '../changed.ts';
import { callsOf } from '../subject-calls.ts';
import type { Subject } from '../subject.ts';
import { nameOf, optionsOf, useNames } from '../words.ts';

type Reason = 'unreadable' | 'incomplete' | 'out_of_date' | 'does_not_agree' | 'other';

const words = inLanguages({
  en: {
    title: 'Ask for information',
    lead: 'The review waits until it is submitted again. Nothing is sent: pass the message on.',
    items: 'What is needed again',
    reason: 'Why',
    message: { application: 'Message to the applicant', business: 'Message to the company' },
    note: 'Note for colleagues',
    noteHint: 'Neither the applicant nor programs see it.',
    ask: 'Ask',
    asked: { application: 'The application waits for the applicant.', business: 'The review waits for the company.' },
    reasons: {
      unreadable: 'It cannot be read',
      incomplete: 'Something is missing',
      out_of_date: 'It is out of date',
      does_not_agree: 'It does not agree with the rest',
      other: 'Another reason',
    } satisfies Record<Reason, string>,
    missing: { requirementKeys: 'Choose at least one.', messageToApplicant: 'Write what is to be done.' },
  },
  pt: {
    title: 'Pedir informações',
    lead: 'A análise aguarda até um novo envio. Nada é transmitido daqui: transmita a mensagem.',
    items: 'O que é preciso de novo',
    reason: 'Motivo',
    message: { application: 'Mensagem para a pessoa', business: 'Mensagem para a empresa' },
    note: 'Observação para colegas',
    noteHint: 'Nem a pessoa nem programas a veem.',
    ask: 'Pedir',
    asked: { application: 'A solicitação aguarda a pessoa.', business: 'A análise aguarda a empresa.' },
    reasons: {
      unreadable: 'Não dá para ler',
      incomplete: 'Falta algo',
      out_of_date: 'Está desatualizado',
      does_not_agree: 'Não combina com o resto',
      other: 'Outro motivo',
    } satisfies Record<Reason, string>,
    missing: { requirementKeys: 'Escolha ao menos um.', messageToApplicant: 'Escreva o que deve ser feito.' },
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

/** Returns what can be asked for: what the service establishes itself nobody else can provide. */
export function askable({ items }: Subject['requirements']): Subject['requirements']['items'] {
  return items.filter(({ kind }) => kind === 'provided');
}

/** Requests one or more requirements again, with one message for all of them. `draft` is what the form begins with. */
export function AskForInformation({
  subject,
  close,
  draft = {},
}: {
  readonly subject: Subject;
  readonly close: () => void;
  readonly draft?: Partial<Values>;
}) {
  const t = useWords(words);
  const names = useNames();
  const keyFor = useIdempotencyKey();
  const readAgain = useReadAgain(subject);
  const { id, version, kind, requirements } = subject;
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
      await callsOf(subject).ask(body, keyFor({ id, version, body }));
      await readAgain();
      announce(t.asked[kind]);
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
          options={askable(requirements).map(({ key }) => ({ value: key, label: nameOf(names.requirements, key) }))}
        />
        <SelectField field={form.field('reasonCode')} label={t.reason} options={optionsOf(t.reasons)} />
        <TextArea field={form.field('messageToApplicant')} label={t.message[kind]} maxLength={500} />
        <TextArea field={form.field('internalNote')} label={t.note} hint={t.noteHint} optional maxLength={2000} />
      </Form>
    </Dialog>
  );
}
