/**
 * The dialog that records who owns a company, party by party and holding by holding. Opened by owners.tsx. What is
 * saved is a new version of all owners; the earlier ones stay on record.
 */
import { useState } from 'react';
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, CheckboxGroup, SelectField, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { RecordsField, type RowPart } from '../../ui/records-field.tsx';
import { announce } from '../../ui/toasts.tsx';
import { useBusinessChanged } from '../applications/changed.ts';
import { optionsOf } from '../applications/words.ts';
import {
  BLANK_EDGE,
  BLANK_PARTY,
  type EdgeRow,
  edgesAmong,
  graphOf,
  type PartyRow,
  ROOT,
  rowsOf,
  withKeys,
  withoutLostNominees,
} from './owner-rows.ts';
import { useOwnerNames } from './owner-words.ts';
import { useSigningNames } from './signing-words.ts';

const words = inLanguages({
  en: {
    title: 'Edit the owners',
    replaces: (version: number) => `This replaces version ${version} of the owners, which stays on record.`,
    parties: {
      label: 'People and organisations',
      add: 'Add a person or an organisation',
      name: (number: number) => `Party ${number}`,
      remove: (number: number) => `Remove party ${number}`,
      removeShort: 'Remove',
    },
    edges: {
      label: 'Holdings',
      add: 'Add a holding',
      name: (number: number) => `Holding ${number}`,
      remove: (number: number) => `Remove holding ${number}`,
      removeShort: 'Remove',
    },
    name: 'Name',
    kind: 'Kind',
    taxId: 'CPF, CNPJ or other number',
    roles: 'Roles',
    nominee: 'Holds shares for',
    nobody: 'Nobody else',
    owner: 'Owner',
    owned: 'Owns a part of',
    choose: 'Choose',
    company: 'The company',
    capital: 'Share of the capital, in percent',
    voting: 'Share of the votes, in percent',
    control: 'Right of control',
    noControl: 'None',
    source: 'Known from',
    from: 'Since',
    until: 'Until',
    bearer: 'Shares of the company belong to whoever has the paper.',
    save: 'Save',
    done: 'The owners are recorded.',
    missing: 'Choose an owner.',
    noNumber: 'This is not a number.',
  },
  pt: {
    title: 'Editar os proprietários',
    replaces: (version: number) => `Isto substitui a versão ${version} dos proprietários, que continua registrada.`,
    parties: {
      label: 'Pessoas e organizações',
      add: 'Acrescentar pessoa ou organização',
      name: (number: number) => `Parte ${number}`,
      remove: (number: number) => `Remover a parte ${number}`,
      removeShort: 'Remover',
    },
    edges: {
      label: 'Participações',
      add: 'Acrescentar participação',
      name: (number: number) => `Participação ${number}`,
      remove: (number: number) => `Remover a participação ${number}`,
      removeShort: 'Remover',
    },
    name: 'Nome',
    kind: 'Tipo',
    taxId: 'CPF, CNPJ ou outro número',
    roles: 'Funções',
    nominee: 'Detém em nome de',
    nobody: 'Ninguém mais',
    owner: 'Proprietário',
    owned: 'Tem parte de',
    choose: 'Escolha',
    company: 'A empresa',
    capital: 'Participação no capital, em porcentagem',
    voting: 'Participação nos votos, em porcentagem',
    control: 'Direito de controle',
    noControl: 'Nenhum',
    source: 'Conhecida por',
    from: 'Desde',
    until: 'Até',
    bearer: 'As ações da empresa são ao portador.',
    save: 'Salvar',
    done: 'Os proprietários foram registrados.',
    missing: 'Escolha um proprietário.',
    noNumber: 'Isto não é um número.',
  },
});

interface Props {
  readonly businessId: string;
  readonly ownership: Schemas['Ownership'];
  readonly close: () => void;
}

type Options = readonly (readonly [string, string])[];

const isNoNumber = (text: string): boolean => Number.isNaN(Number(text.trim().replace(',', '.')));

export function EditOwners({ businessId, ownership, close }: Props) {
  const t = useWords(words);
  const changed = useBusinessChanged();
  // The version that was shown when the dialog was opened, from which the rows come.
  const [{ version, bearerShares }] = useState(ownership);
  const form = useForm({
    initial: { ...rowsOf(ownership), bearerShares },
    check: ({ edges }) =>
      edges.flatMap((edge, at) => [
        ...(edge.owner === '' ? [{ pointer: `/edges/${at}/owner`, code: 'no_owner', message: t.missing }] : []),
        ...(['capitalPercent', 'votingPercent'] as const).flatMap((name) =>
          isNoNumber(edge[name]) ? [{ pointer: `/edges/${at}/${name}`, code: 'no_number', message: t.noNumber }] : [],
        ),
      ]),
    messages: { no_owner: t.missing, no_number: t.noNumber },
    submit: async (values) => {
      const body = { ...graphOf(values), bearerShares: values.bearerShares };
      const params = { path: { businessId }, header: { 'If-Match': `"${version}"` } };
      await answerOf(client.PUT('/v1/businesses/{businessId}/ownership', { params, body }));
      await changed();
      announce(t.done);
      close();
    },
  });
  const { parties, edges } = form.values;
  const change = (rows: PartyRow[]): void => {
    const keyed = withKeys(withoutLostNominees(rows));
    form.field('parties').change(keyed);
    if (keyed.length < parties.length) form.set({ edges: edgesAmong(keyed, edges) });
  };
  const named: Options = parties.map(({ key, name }) => [key, name.trim() === '' ? key : name]);
  const organisations = new Set(parties.filter(({ kind }) => kind !== 'person').map(({ key }) => key));
  return (
    <Dialog title={t.title} onClose={close} wide>
      <Form form={form} action={t.save} cancel={close} sticky>
        {version > 0 && <p>{t.replaces(version)}</p>}
        <RecordsField<PartyRow>
          field={{ ...form.field('parties'), change }}
          words={t.parties}
          blank={BLANK_PARTY}
          row={(part) => <PartyFields part={part} others={named} />}
        />
        <RecordsField<EdgeRow>
          field={form.field('edges')}
          words={t.edges}
          blank={BLANK_EDGE}
          row={(part) => (
            <EdgeFields
              part={part}
              owners={[...named, [ROOT, t.company]]}
              owned={[[ROOT, t.company], ...named.filter(([key]) => organisations.has(key))]}
            />
          )}
        />
        <Checkbox field={form.field('bearerShares')} label={t.bearer} />
      </Form>
    </Dialog>
  );
}

function PartyFields({ part, others }: { readonly part: RowPart<PartyRow>; readonly others: Options }) {
  const t = useWords(words);
  const { kinds } = useOwnerNames();
  const { roles } = useSigningNames();
  const { value: key } = part('key');
  return (
    <>
      <TextField field={part('name')} label={t.name} maxLength={200} autoComplete="off" />
      <SelectField field={part('kind')} label={t.kind} options={optionsOf(kinds)} />
      <TextField field={part('taxId')} label={t.taxId} optional maxLength={40} autoComplete="off" spellCheck={false} />
      <SelectField
        field={part('nomineeFor')}
        label={t.nominee}
        options={[['', t.nobody], ...others.filter(([other]) => other !== key)]}
      />
      <div className="whole">
        <CheckboxGroup
          field={part('roles')}
          label={t.roles}
          options={optionsOf(roles).map(([value, label]) => ({ value, label }))}
        />
      </div>
    </>
  );
}

function EdgeFields({
  part,
  owners,
  owned,
}: {
  readonly part: RowPart<EdgeRow>;
  readonly owners: Options;
  readonly owned: Options;
}) {
  const t = useWords(words);
  const { rights, sources } = useOwnerNames();
  return (
    <>
      <SelectField field={part('owner')} label={t.owner} options={[['', t.choose], ...owners]} />
      <SelectField field={part('owned')} label={t.owned} options={owned} />
      <TextField field={part('capitalPercent')} label={t.capital} optional inputMode="decimal" />
      <TextField field={part('votingPercent')} label={t.voting} optional inputMode="decimal" />
      <SelectField field={part('controlRight')} label={t.control} options={[['', t.noControl], ...optionsOf(rights)]} />
      <SelectField field={part('source')} label={t.source} options={optionsOf(sources)} />
      <TextField field={part('validFrom')} type="date" label={t.from} optional />
      <TextField field={part('validTo')} type="date" label={t.until} optional />
    </>
  );
}
