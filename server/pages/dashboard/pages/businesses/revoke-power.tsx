/** The dialog that revokes a power, or gives up its draft. Opened by powers.tsx. */
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { useBusinessChanged } from '../applications/changed.ts';
import { optionsOf, useNames } from '../applications/words.ts';

type Reason = Schemas['PowerRevoke']['reasonCode'];

const words = inLanguages({
  en: {
    title: 'Revoke the power',
    text: 'It gives no powers from then on. Receipts of earlier acts stay as they are.',
    reason: 'Why',
    choose: 'Choose a reason',
    at: 'From when on',
    atHint: 'Now, if it is left out.',
    document: 'Shown by',
    none: 'No document',
    revoke: 'Revoke',
    done: 'The power is revoked.',
    missing: { reasonCode: 'Choose a reason.' },
    reasons: {
      revoked_by_company: 'The company revoked it',
      resigned: 'Somebody has resigned',
      death_or_incapacity: 'Death or incapacity',
      court_order: 'Order of a court',
      recorded_in_error: 'Recorded in error',
    } satisfies Record<Reason, string>,
    messages: { revocation_before_validity: 'This is before the first day of the power.' },
  },
  pt: {
    title: 'Revogar o poder',
    text: 'Ele não dá poderes a partir de então. Recibos de atos anteriores continuam como estão.',
    reason: 'Motivo',
    choose: 'Escolha um motivo',
    at: 'A partir de quando',
    atHint: 'Agora, se ficar vazio.',
    document: 'Comprovado por',
    none: 'Nenhum documento',
    revoke: 'Revogar',
    done: 'O poder foi revogado.',
    missing: { reasonCode: 'Escolha um motivo.' },
    reasons: {
      revoked_by_company: 'A empresa o revogou',
      resigned: 'Alguém renunciou',
      death_or_incapacity: 'Morte ou incapacidade',
      court_order: 'Ordem judicial',
      recorded_in_error: 'Registrado por engano',
    } satisfies Record<Reason, string>,
    messages: { revocation_before_validity: 'É antes do primeiro dia do poder.' },
  },
});

interface Props {
  readonly power: Schemas['Power'];
  readonly documents: readonly Schemas['Document'][];
  readonly close: () => void;
}

export function RevokePower({ power: { id, businessId }, documents, close }: Props) {
  const t = useWords(words);
  const { documentTypes } = useNames();
  const keyFor = useIdempotencyKey();
  const changed = useBusinessChanged();
  const initial: { readonly reasonCode: Reason | ''; readonly revokedAt: string; readonly documentId: string } = {
    reasonCode: '',
    revokedAt: '',
    documentId: '',
  };
  const form = useForm({
    initial,
    required: t.missing,
    messages: t.messages,
    submit: async ({ reasonCode, revokedAt, documentId }) => {
      if (reasonCode === '') return;
      const body = {
        reasonCode,
        ...(revokedAt !== '' && { revokedAt: new Date(revokedAt).toISOString() }),
        ...(documentId !== '' && { documentId }),
      };
      const params = { path: { businessId, powerId: id }, header: { 'Idempotency-Key': keyFor({ id, body }) } };
      await answerOf(client.POST('/v1/businesses/{businessId}/powers/{powerId}/revoke', { params, body }));
      await changed();
      announce(t.done);
      close();
    },
  });
  const proofs = documents.map((one) => [one.id, `${documentTypes[one.type]}: ${one.fileName}`] as const);
  return (
    <Dialog title={t.title} onClose={close}>
      <p className="muted">{t.text}</p>
      <Form form={form} action={t.revoke} danger cancel={close}>
        <SelectField
          field={form.field('reasonCode')}
          label={t.reason}
          options={[['', t.choose], ...optionsOf(t.reasons)]}
        />
        <TextField field={form.field('revokedAt')} type="datetime-local" label={t.at} hint={t.atHint} optional />
        <SelectField field={form.field('documentId')} label={t.document} optional options={[['', t.none], ...proofs]} />
      </Form>
    </Dialog>
  );
}
