/**
 * The dialog that asks whether given persons may sign an act, or, if none is given, who could. Opened by
 * signatories.tsx, which then shows the receipt.
 */
import { api, client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckboxGroup, SelectField, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { useBusinessChanged } from '../applications/changed.ts';
import { optionsOf } from '../applications/words.ts';
import { AmountField } from '../settings/amount-field.tsx';
import { useSigners } from './parties.ts';
import { useSigningNames } from './signing-words.ts';

const words = inLanguages({
  en: {
    title: 'May they sign?',
    act: 'Act',
    choose: 'Choose an act',
    amount: 'Amount of the act',
    amountHint: 'Without one, a rule with a limit leaves the answer open.',
    at: 'When',
    atHint: 'Now, if it is left out. The powers of that time count.',
    state: 'State',
    stateHint: 'Two letters, such as PR.',
    city: 'City',
    counterparty: 'The other side',
    counterpartyHint: 'The number of a company or a person. Nobody signs against the company for the company.',
    signers: 'Who signs',
    signersHint: 'Choose nobody to ask who could.',
    ask: 'Ask',
    missing: { type: 'Choose an act.' },
  },
  pt: {
    title: 'Podem assinar?',
    act: 'Ato',
    choose: 'Escolha um ato',
    amount: 'Valor do ato',
    amountHint: 'Sem ele, uma regra com limite deixa a resposta em aberto.',
    at: 'Quando',
    atHint: 'Agora, se ficar vazio. Contam os poderes daquele momento.',
    state: 'Estado',
    stateHint: 'Duas letras, por exemplo PR.',
    city: 'Cidade',
    counterparty: 'O outro lado',
    counterpartyHint: 'O número de uma empresa ou pessoa. Ninguém assina pela empresa contra a empresa.',
    signers: 'Quem assina',
    signersHint: 'Não escolha ninguém para perguntar quem poderia.',
    ask: 'Perguntar',
    missing: { type: 'Escolha um ato.' },
  },
});

interface Values {
  readonly type: string;
  readonly amount: Schemas['Money'] | null;
  readonly at: string;
  readonly state: string;
  readonly city: string;
  readonly counterparty: string;
  readonly signers: readonly string[];
}

const INITIAL: Values = {
  type: '',
  amount: null,
  at: '',
  state: '',
  city: '',
  counterparty: '',
  signers: [],
};

/** Returns the act of a form. Members that nobody has entered are left out. */
function actOf({ type, amount, at, state, city, counterparty }: Values): Schemas['SigningAct'] {
  const place = {
    ...(state.trim() !== '' && { state: state.trim().toUpperCase() }),
    ...(city.trim() !== '' && { city: city.trim() }),
  };
  return {
    type,
    ...(amount !== null && { amount }),
    ...(at !== '' && { at: new Date(at).toISOString() }),
    ...(counterparty.trim() !== '' && { counterparty: counterparty.trim() }),
    ...(Object.keys(place).length > 0 && { place }),
  };
}

interface Props {
  readonly businessId: string;
  /** Shows the receipt of an evaluation. */
  readonly read: (evaluationId: string) => void;
  readonly close: () => void;
}

export function AskSigning({ businessId, read, close }: Props) {
  const t = useWords(words);
  const { acts } = useSigningNames();
  const keyFor = useIdempotencyKey();
  const changed = useBusinessChanged();
  const persons = useSigners(businessId);
  const settings = api.useQuery('get', '/v1/settings', { params: { query: { section: 'customActTypes' } } });
  const form = useForm({
    initial: INITIAL,
    required: t.missing,
    pointers: {
      type: '/act/type',
      amount: '/act/amount',
      at: '/act/at',
      state: '/act/place/state',
      city: '/act/place/city',
      counterparty: '/act/counterparty',
    },
    submit: async (values) => {
      const { signers } = values;
      const body = {
        act: actOf(values),
        ...(signers.length > 0 && { signers: signers.map((partyKey) => ({ partyKey })) }),
      };
      const params = { path: { businessId }, header: { 'Idempotency-Key': keyFor({ businessId, body }) } };
      const call = client.POST('/v1/businesses/{businessId}/signing-evaluations', { params, body });
      const { id } = await answerOf(call);
      await changed();
      read(id);
    },
  });
  const own = settings.data?.customActTypes ?? [];
  const options: readonly (readonly [string, string])[] = [
    ['', t.choose],
    ...optionsOf(acts).filter(([act]) => act !== '*'),
    ...own.map(({ key, label }) => [`custom:${key}`, label] as const),
  ];
  return (
    <Dialog title={t.title} onClose={close} wide>
      <Form form={form} action={t.ask} cancel={close}>
        <SelectField field={form.field('type')} label={t.act} options={options} />
        <AmountField field={form.field('amount')} label={t.amount} hint={t.amountHint} />
        <CheckboxGroup
          field={{ ...form.field('signers'), closed: persons.length === 0 }}
          label={t.signers}
          hint={t.signersHint}
          options={persons.map(({ key, name }) => ({ value: key, label: name }))}
        />
        <div className="form-grid">
          <TextField field={form.field('at')} type="datetime-local" label={t.at} hint={t.atHint} optional />
          <TextField
            field={form.field('counterparty')}
            label={t.counterparty}
            hint={t.counterpartyHint}
            optional
            maxLength={40}
          />
          <TextField field={form.field('state')} label={t.state} hint={t.stateHint} optional maxLength={2} />
          <TextField field={form.field('city')} label={t.city} optional maxLength={100} />
        </div>
      </Form>
    </Dialog>
  );
}
