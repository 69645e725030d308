/** The form of a new tenant. Opened by tenants-page.tsx. The owner is invited by mail. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { tenantWords } from './tenant-words.ts';

const words = inLanguages({
  en: {
    title: 'Create a tenant',
    lead: 'It begins in the sandbox. Its owner gets an invitation, and takes it live when the checklist is done.',
    slug: 'Slug',
    slugHint: 'A short name for addresses: small letters, digits, hyphens.',
    owner: 'E-mail of the owner',
    ownerName: 'Name of the owner',
    locale: 'Language of its mails',
    create: 'Create and invite',
    enterName: 'Enter the name of the tenant.',
    enterSlug: 'Enter a short name.',
    enterOwner: 'Enter the e-mail address of the owner.',
    created: (tenant: string, email: string) => `${tenant} is created, and ${email} is invited.`,
  },
  pt: {
    title: 'Criar um inquilino',
    lead: 'Começa no sandbox. Seu proprietário recebe um convite e o leva à produção quando a lista estiver completa.',
    slug: 'Nome curto',
    slugHint: 'Para endereços: letras minúsculas, dígitos, hifens.',
    owner: 'E-mail do proprietário',
    ownerName: 'Nome do proprietário',
    locale: 'Idioma dos e-mails',
    create: 'Criar e convidar',
    enterName: 'Digite o nome do inquilino.',
    enterSlug: 'Digite um nome curto.',
    enterOwner: 'Digite o e-mail do proprietário.',
    created: (tenant: string, email: string) => `${tenant} foi criado, e ${email} recebeu o convite.`,
  },
});

/** Returns a function that reloads the list after a change of a tenant. */
export function useTenantsChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/admin/tenants').queryKey });
}

type Locale = NonNullable<Schemas['TenantCreate']['locale']>;

function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
}

export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useWords(words);
  const { name } = useWords(tenantWords);
  const changed = useTenantsChanged();
  const keyFor = useIdempotencyKey();
  const [isSuggested, setSuggested] = useState(true);
  const initial: {
    name: string;
    slug: string;
    ownerEmail: string;
    ownerName: string;
    locale: Locale;
  } = {
    name: '',
    slug: '',
    ownerEmail: '',
    ownerName: '',
    locale: 'en',
  };
  const form = useForm({
    initial,
    required: { name: t.enterName, slug: t.enterSlug, ownerEmail: t.enterOwner },
    submit: async (values) => {
      const body = {
        name: values.name.trim(),
        slug: values.slug.trim(),
        ownerEmail: values.ownerEmail.trim(),
        locale: values.locale,
        ...(values.ownerName.trim() !== '' && { ownerName: values.ownerName.trim() }),
      };
      const { tenant, ownerInvitation } = await answerOf(
        client.POST('/v1/admin/tenants', { params: { header: { 'Idempotency-Key': keyFor(body) } }, body }),
      );
      onClose();
      announce(t.created(tenant.name, ownerInvitation.email));
      await changed();
    },
  });
  // The slug follows the name until the user edits it.
  const nameField = form.field('name');
  const slugField = form.field('slug');
  const changeName = (value: string) => {
    nameField.change(value);
    if (isSuggested) slugField.change(slugOf(value));
  };
  const changeSlug = (value: string) => {
    setSuggested(value === '');
    slugField.change(value);
  };
  return (
    <Dialog title={t.title} onClose={onClose}>
      <p className="muted">{t.lead}</p>
      <Form form={form} action={t.create} cancel={onClose} sticky>
        <TextField
          field={{ ...nameField, change: changeName }}
          label={name}
          placeholder="Fintech Aurora"
          autoComplete="off"
          maxLength={120}
        />
        <TextField
          field={{ ...slugField, change: changeSlug }}
          label={t.slug}
          hint={t.slugHint}
          placeholder="aurora"
          autoComplete="off"
          maxLength={40}
          spellCheck={false}
        />
        <TextField
          field={form.field('ownerEmail')}
          type="email"
          label={t.owner}
          autoComplete="off"
          maxLength={254}
          spellCheck={false}
        />
        <TextField field={form.field('ownerName')} label={t.ownerName} optional autoComplete="off" maxLength={120} />
        <SelectField
          field={form.field('locale')}
          label={t.locale}
          options={[
            ['en', 'English'],
            ['pt-BR', 'Português (Brasil)'],
            ['es', 'Español'],
          ]}
        />
      </Form>
    </Dialog>
  );
}
