/**
 * The dialog that changes the data of a company. Opened by business-page.tsx. The registration cannot change, because
 * another registration is another company.
 */
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { announce } from '../../ui/toasts.tsx';
import { matching, useBusinessChanged } from '../applications/changed.ts';
import { optionsOf, useNames } from '../applications/words.ts';
import { AmountField } from '../settings/amount-field.tsx';
import { useBusinessNames } from './business-words.ts';
import { textOrNull } from '../../ui/text-or-null.ts';

const words = inLanguages({
  en: {
    title: 'Edit the company',
    waiting: 'A decision waits for a second person. A change takes the company back to the review.',
    name: 'Legal name',
    tradeName: 'Trade name',
    form: 'Legal form',
    level: 'Level',
    revenue: 'Monthly revenue',
    revenueHint: 'Empty if it is not known.',
    reference: 'Reference',
    referenceHint: 'Your own id of the company.',
    save: 'Save',
    done: 'The company is changed.',
    missing: { legalName: 'Enter the name.' },
  },
  pt: {
    title: 'Editar a empresa',
    waiting: 'Uma decisão espera por uma segunda pessoa. Uma mudança devolve a empresa à análise.',
    name: 'Razão social',
    tradeName: 'Nome fantasia',
    form: 'Natureza jurídica',
    level: 'Nível',
    revenue: 'Faturamento mensal',
    revenueHint: 'Vazio se não se conhece.',
    reference: 'Referência',
    referenceHint: 'O seu próprio id da empresa.',
    save: 'Salvar',
    done: 'A empresa foi alterada.',
    missing: { legalName: 'Informe o nome.' },
  },
});

export function EditBusiness({
  business,
  close,
}: {
  readonly business: Schemas['Business'];
  readonly close: () => void;
}) {
  const t = useWords(words);
  const { forms } = useBusinessNames();
  const { levels } = useNames();
  const changed = useBusinessChanged();
  const { id, status, legalName, tradeName, legalForm, level, monthlyRevenue, externalId } = business;
  const form = useForm({
    initial: {
      legalName,
      tradeName: tradeName ?? '',
      legalForm,
      level,
      monthlyRevenue,
      externalId: externalId ?? '',
    },
    required: t.missing,
    submit: async (values) => {
      const body = {
        ...values,
        legalName: values.legalName.trim(),
        tradeName: textOrNull(values.tradeName),
        externalId: textOrNull(values.externalId),
      };
      const params = { path: { businessId: id }, header: matching(business) };
      const headers = { 'Content-Type': 'application/merge-patch+json' };
      await answerOf(client.PATCH('/v1/businesses/{businessId}', { params, headers, body }));
      await changed();
      announce(t.done);
      close();
    },
  });
  return (
    <Dialog title={t.title} onClose={close} wide>
      {status === 'pending_approval' && <p>{t.waiting}</p>}
      <Form form={form} action={t.save} cancel={close}>
        <TextField field={form.field('legalName')} label={t.name} maxLength={200} />
        <TextField field={form.field('tradeName')} label={t.tradeName} optional maxLength={200} />
        <div className="form-grid">
          <SelectField field={form.field('legalForm')} label={t.form} options={optionsOf(forms)} />
          <SelectField field={form.field('level')} label={t.level} options={optionsOf(levels)} />
        </div>
        <AmountField field={form.field('monthlyRevenue')} label={t.revenue} hint={t.revenueHint} />
        <TextField
          field={form.field('externalId')}
          label={t.reference}
          hint={t.referenceHint}
          optional
          maxLength={128}
        />
      </Form>
    </Dialog>
  );
}
