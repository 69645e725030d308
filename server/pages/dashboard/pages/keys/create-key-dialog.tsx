/**
 * The form of a new API key. Opened by keys-page.tsx. The secret in the answer is shown once, by issued-key-dialog.tsx.
 */
import { useState } from 'react';
import { client, type Schemas } from '../../core/api.ts';
import { useCurrent } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { RadioGroup, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import {
  type Expiry,
  ExpiryField,
  instantOf,
  NetworksField,
  PersonsField,
  PinField,
  ScopesField,
  useDayMissing,
} from './key-fields.tsx';
import { type Scope, useKeyWords } from './key-words.ts';

const words = inLanguages({
  en: {
    title: 'Create a key',
    action: 'Create key',
    name: 'Name',
    nameHint: 'For people: what will use the key.',
    enterName: 'Enter a name.',
    enterScope: 'Choose at least one scope.',
    environment: 'Environment',
    live: 'Reaches production records. Not for trying things out.',
    test: 'Only ever sees the sandbox, while sandbox mode is on.',
    testOnly: 'Your role creates test keys: they only ever see the sandbox.',
  },
  pt: {
    title: 'Criar uma chave',
    action: 'Criar chave',
    name: 'Nome',
    nameHint: 'Para pessoas: o que vai usar a chave.',
    enterName: 'Digite um nome.',
    enterScope: 'Escolha ao menos um escopo.',
    environment: 'Ambiente',
    live: 'Alcança registros de produção. Não serve para testes.',
    test: 'Só vê o sandbox, enquanto o modo sandbox está ligado.',
    testOnly: 'Seu papel cria chaves de teste: elas só veem o sandbox.',
  },
});

interface Draft {
  readonly name: string;
  readonly environment: Schemas['KeyEnvironment'];
  readonly scopes: readonly Scope[];
  readonly fullPersons: boolean;
  readonly expiry: Expiry;
  readonly ipAllowlist: readonly string[];
  readonly pinEnvironment: boolean;
}

/** Form of a new key. It omits what the role of the signed-in user cannot grant. */
export function CreateKeyDialog({
  created,
  onClose,
}: {
  readonly created: (issued: Schemas['ApiKeyIssued']) => void;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const { environments } = useKeyWords();
  const { user } = useCurrent();
  const [opened] = useState(() => Date.now());
  const keyFor = useIdempotencyKey();
  const dayMissing = useDayMissing();
  const form = useForm<Draft>({
    initial: {
      name: '',
      environment: 'test',
      scopes: ['read'],
      fullPersons: false,
      expiry: { preset: '365', day: '' },
      ipAllowlist: [],
      pinEnvironment: false,
    },
    required: { name: t.enterName, scopes: t.enterScope },
    handle: dayMissing,
    pointers: { fullPersons: '/personalData', expiry: '/expiresAt' },
    submit: async (draft) => {
      const body = bodyOf(draft, opened);
      created(
        await answerOf(
          client.POST('/v1/settings/api-keys', { body, params: { header: { 'Idempotency-Key': keyFor(body) } } }),
        ),
      );
    },
  });
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Form form={form} action={t.action} cancel={onClose} sticky>
        <TextField field={form.field('name')} label={t.name} hint={t.nameHint} maxLength={80} autoComplete="off" />
        {user.role === 'developer' ? (
          <p className="hint">{t.testOnly}</p>
        ) : (
          <RadioGroup
            field={form.field('environment')}
            label={t.environment}
            options={[
              { value: 'test', label: environments.test, hint: t.test },
              { value: 'live', label: environments.live, hint: t.live },
            ]}
          />
        )}
        <ScopesField field={form.field('scopes')} />
        {user.role === 'owner' && <PersonsField field={form.field('fullPersons')} />}
        <ExpiryField field={form.field('expiry')} />
        <NetworksField field={form.field('ipAllowlist')} />
        {form.values.environment === 'live' && <PinField field={form.field('pinEnvironment')} />}
      </Form>
    </Dialog>
  );
}

function bodyOf(
  { name, environment, scopes, fullPersons, expiry, ipAllowlist, pinEnvironment }: Draft,
  opened: number,
): Schemas['ApiKeyCreate'] {
  return {
    name: name.trim(),
    environment,
    scopes: [...scopes],
    personalData: fullPersons ? 'full' : 'masked',
    expiresAt: instantOf(expiry, opened),
    ipAllowlist: [...ipAllowlist],
    ...(environment === 'live' && { pinEnvironment }),
  };
}
