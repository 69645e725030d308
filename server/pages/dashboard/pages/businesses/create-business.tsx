/** The dialog that records a company. Opened by businesses-page.tsx; the page of the company follows. */
import { useNavigate } from '@tanstack/react-router';
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { useBusinessChanged } from '../applications/changed.ts';
import { useCountries } from '../applications/form/countries.ts';
import { optionsOf, useNames } from '../applications/words.ts';
import { useBusinessNames } from './business-words.ts';
import '../applications/refusals.ts';

const words = inLanguages({
  en: {
    title: 'Record a company',
    name: 'Legal name',
    tradeName: 'Trade name',
    number: 'CNPJ',
    foreign: 'Registration number',
    country: 'Country of the registration',
    form: 'Legal form',
    choose: 'Choose a form',
    level: 'Level',
    reference: 'Reference',
    referenceHint: 'Your own id of the company.',
    record: 'Record',
    done: 'The company is recorded.',
    missing: { legalName: 'Enter the name.', number: 'Enter the number.', legalForm: 'Choose a legal form.' },
    messages: {
      check_digits: 'This is not a CNPJ.',
      branch_without_root: 'This is a branch. Record its head office first.',
    },
  },
  pt: {
    title: 'Registrar uma empresa',
    name: 'Razão social',
    tradeName: 'Nome fantasia',
    number: 'CNPJ',
    foreign: 'Número do registro',
    country: 'País do registro',
    form: 'Natureza jurídica',
    choose: 'Escolha uma natureza',
    level: 'Nível',
    reference: 'Referência',
    referenceHint: 'O seu próprio id da empresa.',
    record: 'Registrar',
    done: 'A empresa foi registrada.',
    missing: { legalName: 'Informe o nome.', number: 'Informe o número.', legalForm: 'Escolha a natureza jurídica.' },
    messages: {
      check_digits: 'Isto não é um CNPJ.',
      branch_without_root: 'É uma filial. Registre a matriz antes.',
    },
  },
});

interface Values {
  readonly legalName: string;
  readonly tradeName: string;
  readonly country: string;
  readonly number: string;
  readonly legalForm: Schemas['LegalFormInput'] | '';
  readonly level: Schemas['DiligenceLevel'];
  readonly externalId: string;
}

const INITIAL: Values = {
  legalName: '',
  tradeName: '',
  country: 'BR',
  number: '',
  legalForm: '',
  level: 'standard',
  externalId: '',
};

export function CreateBusiness({ close }: { readonly close: () => void }) {
  const t = useWords(words);
  const { forms } = useBusinessNames();
  const { levels } = useNames();
  const countries = useCountries();
  const navigate = useNavigate();
  const keyFor = useIdempotencyKey();
  const changed = useBusinessChanged();
  const form = useForm({
    initial: INITIAL,
    required: t.missing,
    messages: t.messages,
    pointers: { number: '/registration', country: '/registration/country' },
    submit: async ({ legalName, tradeName, country, number, legalForm, level, externalId }) => {
      if (legalForm === '') return;
      const body = {
        legalName: legalName.trim(),
        ...(tradeName.trim() !== '' && { tradeName: tradeName.trim() }),
        registration: {
          type: country === 'BR' ? ('cnpj' as const) : ('other' as const),
          number: number.trim(),
          country,
        },
        legalForm,
        level,
        ...(externalId.trim() !== '' && { externalId: externalId.trim() }),
      };
      const params = { header: { 'Idempotency-Key': keyFor(body) } };
      const { id } = await answerOf(client.POST('/v1/businesses', { params, body }));
      await changed();
      await navigate({ to: '/businesses/$businessId', params: { businessId: id } });
      announce(t.done);
    },
  });
  const isForeign = form.values.country !== 'BR';
  return (
    <Dialog title={t.title} onClose={close} wide>
      <Form form={form} action={t.record} cancel={close}>
        <TextField field={form.field('legalName')} label={t.name} maxLength={200} />
        <TextField field={form.field('tradeName')} label={t.tradeName} optional maxLength={200} />
        <div className="form-grid">
          <SelectField field={form.field('country')} label={t.country} options={countries.filter(([code]) => code)} />
          <TextField
            field={form.field('number')}
            label={isForeign ? t.foreign : t.number}
            maxLength={40}
            autoComplete="off"
            spellCheck={false}
          />
          <SelectField field={form.field('legalForm')} label={t.form} options={[['', t.choose], ...optionsOf(forms)]} />
          <SelectField field={form.field('level')} label={t.level} options={optionsOf(levels)} />
        </div>
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
