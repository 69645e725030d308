/**
 * The dialogs that change a key, its scopes, or who answers for it. Opened by keys-page.tsx. A change of scopes applies
 * at once, also to tokens that are already issued.
 */
import { useState } from 'react';
import { client, type Schemas } from '../../core/api.ts';
import { useCurrent } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import {
  type Expiry,
  ExpiryField,
  expiryOf,
  instantOf,
  NetworksField,
  PersonsField,
  PinField,
  ScopesField,
  useDayMissing,
} from './key-fields.tsx';
import type { ApiKey, Scope } from './key-words.ts';

const words = inLanguages({
  en: {
    edit: (name: string) => `Edit “${name}”`,
    save: 'Save',
    name: 'Name',
    enterName: 'Enter a name.',
    scopes: (name: string) => `Scopes of “${name}”`,
    saveScopes: 'Save scopes',
    atOnce: 'The change applies at once, also to tokens that were already issued from this key.',
    enterScope: 'Choose at least one scope.',
    takeOver: (name: string) => `Take over “${name}”?`,
    take: 'Take over',
    answer:
      'From now on you answer for this key. It keeps its secret and its scopes, works again at once, and may ' +
      'never do more than your role.',
  },
  pt: {
    edit: (name: string) => `Editar “${name}”`,
    save: 'Salvar',
    name: 'Nome',
    enterName: 'Digite um nome.',
    scopes: (name: string) => `Escopos de “${name}”`,
    saveScopes: 'Salvar escopos',
    atOnce: 'A mudança vale na hora, também para tokens já emitidos com esta chave.',
    enterScope: 'Escolha ao menos um escopo.',
    takeOver: (name: string) => `Assumir “${name}”?`,
    take: 'Assumir',
    answer:
      'A partir de agora você responde por esta chave. Ela mantém o segredo e os escopos, volta a funcionar na ' +
      'hora e nunca pode mais do que o seu papel.',
  },
});

interface ChangeProps {
  readonly apiKey: ApiKey;
  readonly changed: (now: ApiKey) => Promise<void>;
  readonly onClose: () => void;
}

interface Draft {
  readonly name: string;
  readonly fullPersons: boolean;
  readonly expiry: Expiry;
  readonly ipAllowlist: readonly string[];
  readonly pinEnvironment: boolean;
}

/** Edits name, expiry, networks and data visibility of a key. */
export function EditKeyDialog({ apiKey, changed, onClose }: ChangeProps) {
  const t = useWords(words);
  const { user } = useCurrent();
  const [opened] = useState(() => Date.now());
  const [before] = useState<Draft>(() => ({
    name: apiKey.name,
    fullPersons: apiKey.personalData === 'full',
    expiry: expiryOf(apiKey.expiresAt),
    ipAllowlist: apiKey.ipAllowlist,
    pinEnvironment: apiKey.pinEnvironment,
  }));
  const dayMissing = useDayMissing();
  const form = useForm<Draft>({
    initial: before,
    required: { name: t.enterName },
    handle: dayMissing,
    pointers: { fullPersons: '/personalData', expiry: '/expiresAt' },
    submit: async (draft) => {
      const body = changesOf(before, draft, opened);
      await changed(
        Object.keys(body).length === 0
          ? apiKey
          : await answerOf(client.PATCH('/v1/settings/api-keys/{prefix}', { body, params: keyParams(apiKey) })),
      );
    },
  });
  return (
    <Dialog title={t.edit(apiKey.name)} onClose={onClose}>
      <Form form={form} action={t.save} cancel={onClose} sticky>
        <TextField field={form.field('name')} label={t.name} maxLength={80} autoComplete="off" />
        {(user.role === 'owner' || before.fullPersons) && <PersonsField field={form.field('fullPersons')} />}
        <ExpiryField field={form.field('expiry')} />
        <NetworksField field={form.field('ipAllowlist')} />
        {apiKey.environment === 'live' && <PinField field={form.field('pinEnvironment')} />}
      </Form>
    </Dialog>
  );
}

/** Returns only the changes, so that two people who edit different members do not undo each other. */
function changesOf(before: Draft, draft: Draft, opened: number): Schemas['ApiKeyUpdate'] {
  return {
    ...(draft.name.trim() !== before.name && { name: draft.name.trim() }),
    ...(draft.expiry !== before.expiry && { expiresAt: instantOf(draft.expiry, opened) }),
    ...(draft.ipAllowlist.join() !== before.ipAllowlist.join() && { ipAllowlist: [...draft.ipAllowlist] }),
    ...(draft.fullPersons !== before.fullPersons && { personalData: draft.fullPersons ? 'full' : 'masked' }),
    ...(draft.pinEnvironment !== before.pinEnvironment && { pinEnvironment: draft.pinEnvironment }),
  };
}

export function ScopesDialog({ apiKey, changed, onClose }: ChangeProps) {
  const t = useWords(words);
  const form = useForm<{ readonly scopes: readonly Scope[] }>({
    initial: { scopes: apiKey.scopes },
    required: { scopes: t.enterScope },
    submit: async ({ scopes }) => changed(await replaceScopes(apiKey, scopes)),
  });
  return (
    <Dialog title={t.scopes(apiKey.name)} onClose={onClose}>
      <p className="muted">{t.atOnce}</p>
      <Form form={form} action={t.saveScopes} cancel={onClose} sticky>
        <ScopesField field={form.field('scopes')} also={apiKey.scopes} />
      </Form>
    </Dialog>
  );
}

/** Confirms the scopes of a key whose grantor has left. Until another person does so, the key is refused. */
export function TakeOverDialog({ apiKey, changed, onClose }: ChangeProps) {
  const t = useWords(words);
  return (
    <ConfirmDialog
      title={t.takeOver(apiKey.name)}
      action={t.take}
      run={async () => changed(await replaceScopes(apiKey, apiKey.scopes))}
      onClose={onClose}
    >
      <p>{t.answer}</p>
    </ConfirmDialog>
  );
}

function replaceScopes(apiKey: ApiKey, scopes: readonly Scope[]): Promise<ApiKey> {
  return answerOf(
    client.PUT('/v1/settings/api-keys/{prefix}/scopes', { body: { scopes: [...scopes] }, params: keyParams(apiKey) }),
  );
}

/** Returns the parameters of a change, which is refused if the key was changed meanwhile. */
function keyParams({ prefix, version }: ApiKey) {
  return { path: { prefix }, header: { 'If-Match': `"${version}"` } };
}
