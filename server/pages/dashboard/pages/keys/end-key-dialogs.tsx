/**
 * The dialogs that replace or revoke a key. Opened by keys-page.tsx. A system that still uses the key fails when it
 * ends.
 */
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf, done } from '../../core/problem.ts';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useFormat } from '../../ui/format.ts';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import type { ApiKey } from './key-words.ts';

const words = inLanguages({
  en: {
    rotate: (name: string) => `Rotate “${name}”`,
    action: 'Rotate key',
    grace: 'The old key keeps working for',
    lead:
      'You get a new key with the same name, scopes, networks and expiry. Change your systems over to it ' +
      'before the old one ends.',
    graces: {
      '0': 'Ends at once',
      '1': '1 hour',
      '24': '1 day',
      '48': '2 days',
      '168': '7 days',
    },
    revoke: (name: string) => `Revoke “${name}”?`,
    revokeAction: 'Revoke key',
    consequence: (prefix: string) => (
      <>
        The key <code>{prefix}</code> and every token issued from it stop working at once. This cannot be undone.
      </>
    ),
    unused: 'It was never used.',
    used: (when: string) => `Last used ${when}.`,
  },
  pt: {
    rotate: (name: string) => `Rotacionar “${name}”`,
    action: 'Rotacionar chave',
    grace: 'A chave antiga continua valendo por',
    lead:
      'Você recebe uma chave nova com o mesmo nome, escopos, redes e expiração. Passe seus sistemas para ela antes ' +
      'que a antiga termine.',
    graces: {
      '0': 'Termina na hora',
      '1': '1 hora',
      '24': '1 dia',
      '48': '2 dias',
      '168': '7 dias',
    },
    revoke: (name: string) => `Revogar “${name}”?`,
    revokeAction: 'Revogar chave',
    consequence: (prefix: string) => (
      <>
        A chave <code>{prefix}</code> e todo token emitido com ela deixam de funcionar na hora. Não há volta.
      </>
    ),
    unused: 'Ela nunca foi usada.',
    used: (when: string) => `Último uso ${when}.`,
  },
});

const GRACES = ['0', '1', '24', '48', '168'] as const;

export function RotateKeyDialog({
  apiKey,
  rotated,
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly rotated: (issued: Schemas['ApiKeyIssued']) => void;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const keyFor = useIdempotencyKey();
  const form = useForm<{ readonly graceHours: (typeof GRACES)[number] }>({
    initial: { graceHours: '24' },
    submit: async ({ graceHours }) => {
      const body = { graceHours: Number(graceHours) };
      rotated(
        await answerOf(
          client.POST('/v1/settings/api-keys/{prefix}/rotate', {
            body,
            params: { path: { prefix: apiKey.prefix }, header: { 'Idempotency-Key': keyFor(body) } },
          }),
        ),
      );
    },
  });
  return (
    <Dialog title={t.rotate(apiKey.name)} onClose={onClose}>
      <p className="muted">{t.lead}</p>
      <Form form={form} action={t.action} cancel={onClose}>
        <SelectField
          field={form.field('graceHours')}
          label={t.grace}
          options={GRACES.map((hours) => [hours, t.graces[hours]])}
        />
      </Form>
    </Dialog>
  );
}

export function RevokeKeyDialog({
  apiKey,
  revoked,
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly revoked: () => Promise<void>;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const format = useFormat();
  const { prefix, lastUsedAt } = apiKey;
  const run = async () => {
    await done(client.DELETE('/v1/settings/api-keys/{prefix}', { params: { path: { prefix } } }));
    await revoked();
  };
  return (
    <ConfirmDialog title={t.revoke(apiKey.name)} action={t.revokeAction} danger run={run} onClose={onClose}>
      <p>{t.consequence(prefix)}</p>
      <p className="muted">{lastUsedAt === null ? t.unused : t.used(format.relative(lastUsedAt))}</p>
    </ConfirmDialog>
  );
}
