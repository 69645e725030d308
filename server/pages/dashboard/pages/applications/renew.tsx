/**
 * The dialog that begins the renewal of an approval. Opened by actions.tsx. The old approval stands until the new one
 * is approved.
 */
import { useNavigate } from '@tanstack/react-router';
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { useChanged } from './changed.ts';
import { fieldWords } from './form/field-words.ts';
import type { Subject } from './subject.ts';
import { optionsOf, useNames } from './words.ts';

const words = inLanguages({
  en: {
    title: 'Renew the approval',
    text:
      'A draft is made with the data of this application; documents and consents are collected anew. This approval ' +
      'stands until the renewal is approved.',
    renew: 'Renew',
    done: 'The renewal is a draft.',
  },
  pt: {
    title: 'Renovar a aprovação',
    text:
      'Um rascunho é criado com os dados desta solicitação; documentos e consentimentos são coletados de novo. Esta ' +
      'aprovação vale até que a renovação seja aprovada.',
    renew: 'Renovar',
    done: 'A renovação é um rascunho.',
  },
});

export function Renew({
  subject: { id, name: fullName },
  close,
}: {
  readonly subject: Subject;
  readonly close: () => void;
}) {
  const t = useWords(words);
  const labels = useWords(fieldWords);
  const { purposes } = useNames();
  const keyFor = useIdempotencyKey();
  const changed = useChanged();
  const navigate = useNavigate();
  const initial: { readonly purpose: Schemas['ApplicationPurpose'] } = { purpose: 'periodic_review' };
  const form = useForm({
    initial,
    submit: async ({ purpose }) => {
      const body = { purpose, applicant: { fullName }, renewsApplicationId: id };
      const renewal = await answerOf(
        client.POST('/v1/applications', { params: { header: { 'Idempotency-Key': keyFor(body) } }, body }),
      );
      changed(renewal);
      announce(t.done);
      close();
      await navigate({ to: '/applications/$applicationId', params: { applicationId: renewal.id } });
    },
  });
  return (
    <Dialog title={t.title} onClose={close}>
      <p className="muted">{t.text}</p>
      <Form form={form} action={t.renew} cancel={close}>
        <SelectField field={form.field('purpose')} label={labels.purpose} options={optionsOf(purposes)} />
      </Form>
    </Dialog>
  );
}
