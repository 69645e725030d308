/**
 * The dialog that makes the partners of the registry the ownership of a company. Opened by registry.tsx. A registry
 * rarely tells shares, so they can be completed. The owners that are recorded are replaced by a new version.
 */
import { api, client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { announce } from '../../ui/toasts.tsx';
import { useBusinessChanged } from '../applications/changed.ts';

type Draft = Schemas['OwnershipDraft'];

const words = inLanguages({
  en: {
    title: 'Take over the partners',
    text: 'They become the owners of the company, with the shares that you enter. An empty share stays unknown.',
    replaces: (version: number) => `This replaces version ${version} of the owners, which stays on record.`,
    share: (name: string) => `Share of ${name}, in percent`,
    others: (names: string) => `Without a share: ${names}`,
    accept: 'Take over',
    done: 'The owners are recorded.',
  },
  pt: {
    title: 'Adotar os sócios',
    text: 'Eles se tornam os proprietários da empresa, com as participações que você informar. Vazio é desconhecido.',
    replaces: (version: number) => `Isto substitui a versão ${version} dos proprietários, que continua registrada.`,
    share: (name: string) => `Participação de ${name}, em porcentagem`,
    others: (names: string) => `Sem participação: ${names}`,
    accept: 'Adotar',
    done: 'Os proprietários foram registrados.',
  },
});

interface Props {
  readonly businessId: string;
  readonly draft: Draft;
  readonly close: () => void;
}

export function AcceptDraft({ businessId, draft, close }: Props) {
  const t = useWords(words);
  const query = api.useQuery('get', '/v1/businesses/{businessId}/ownership', { params: { path: { businessId } } });
  return (
    <Dialog title={t.title} onClose={close}>
      <p className="muted">{t.text}</p>
      <Loaded query={query}>
        {({ version }) => <Shares businessId={businessId} draft={draft} version={version} close={close} />}
      </Loaded>
    </Dialog>
  );
}

const fieldOf = (index: number): string => `share${index}`;

function Shares({ businessId, draft, version, close }: Props & { readonly version: number }) {
  const t = useWords(words);
  const changed = useBusinessChanged();
  const { parties, edges, bearerShares } = draft;
  const initial: Readonly<Record<string, string>> = Object.fromEntries(
    edges.map(({ capitalPercent = null }, index) => [
      fieldOf(index),
      capitalPercent === null ? '' : `${capitalPercent}`,
    ]),
  );
  const form = useForm({
    initial,
    pointers: Object.fromEntries(edges.map((_, index) => [fieldOf(index), `/edges/${index}/capitalPercent`])),
    submit: async (values) => {
      const shareOf = (index: number): number | null => {
        const typed = (values[fieldOf(index)] ?? '').trim().replace(',', '.');
        return typed === '' ? null : Number(typed);
      };
      const body = {
        parties,
        edges: edges.map((edge, index) => ({ ...edge, capitalPercent: shareOf(index) })),
        bearerShares,
      };
      const params = { path: { businessId }, header: { 'If-Match': `"${version}"` } };
      await answerOf(client.PUT('/v1/businesses/{businessId}/ownership', { params, body }));
      await changed();
      announce(t.done);
      close();
    },
  });
  const nameOfParty = (key: string): string => parties.find((party) => party.key === key)?.name ?? key;
  const others = parties.filter(({ key }) => edges.every(({ owner }) => owner !== key));
  return (
    <Form form={form} action={t.accept} cancel={close}>
      {version > 0 && <p>{t.replaces(version)}</p>}
      {edges.map(({ owner }, index) => (
        <TextField
          key={fieldOf(index)}
          field={form.field(fieldOf(index))}
          label={t.share(nameOfParty(owner))}
          optional
          inputMode="decimal"
        />
      ))}
      {others.length > 0 && <p>{t.others(others.map(({ name }) => name).join(', '))}</p>}
    </Form>
  );
}
