/** The form of an invitation. Opened by team-page.tsx; member-dialogs.tsx uses its field for roles. */
import { useQueryClient } from '@tanstack/react-query';
import { api, client, type Schemas } from '../../core/api.ts';
import { useCurrent } from '../../core/current.tsx';
import { installation } from '../../core/installation.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { useRoleName } from '../../core/roles.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { RadioGroup, TextField } from '../../ui/fields.tsx';
import { type FieldState, Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { ROLES } from './team-search.ts';
import { teamWords } from './team-words.ts';

const words = inLanguages({
  en: {
    title: 'Invite somebody',
    lead: 'They get a mail with a link that works for seven days.',
    noMail: 'This installation delivers none: find it in the',
    outbox: 'outbox',
    enterEmail: 'Enter their e-mail address.',
    nameHint: 'Left empty, they give it themselves.',
    send: 'Send the invitation',
    invited: (email: string) => `${email} is invited.`,
  },
  pt: {
    title: 'Convidar alguém',
    lead: 'A pessoa recebe um e-mail com um link que vale por sete dias.',
    noMail: 'Esta instalação não entrega e-mails: veja na',
    outbox: 'caixa de saída',
    enterEmail: 'Digite o e-mail da pessoa.',
    nameHint: 'Se ficar vazio, a própria pessoa o informa.',
    send: 'Enviar o convite',
    invited: (email: string) => `${email} recebeu o convite.`,
  },
});

/** Returns a function that reloads the list after a change. */
export function useTeamChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/users').queryKey });
}

/** Field for a role, each with its purpose. Only an owner can create owners. */
export function RoleField({ field }: { readonly field: FieldState<Schemas['RoleInput']> }) {
  const { role, meanings } = useWords(teamWords);
  const { user } = useCurrent();
  const roleName = useRoleName();
  const open = ROLES.filter((value) => value !== 'owner' || user.role === 'owner');
  return (
    <RadioGroup
      field={field}
      label={role}
      options={open.map((value) => ({ value, label: roleName(value), hint: meanings[value] }))}
    />
  );
}

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useWords(words);
  const { email, name } = useWords(teamWords);
  const { outbox } = installation();
  const changed = useTeamChanged();
  const keyFor = useIdempotencyKey();
  const initial: { email: string; name: string; role: Schemas['RoleInput'] } = { email: '', name: '', role: 'analyst' };
  const form = useForm({
    initial,
    required: { email: t.enterEmail },
    submit: async (values) => {
      const body = {
        email: values.email.trim(),
        role: values.role,
        ...(values.name.trim() !== '' && { name: values.name.trim() }),
      };
      const user = await answerOf(
        client.POST('/v1/users/invitations', { params: { header: { 'Idempotency-Key': keyFor(body) } }, body }),
      );
      onClose();
      announce(t.invited(user.email));
      await changed();
    },
  });
  return (
    <Dialog title={t.title} onClose={onClose}>
      <p className="muted">
        {t.lead}
        {outbox !== null && (
          <>
            {' '}
            {t.noMail}{' '}
            <a href={outbox} target="_blank" rel="noreferrer">
              {t.outbox}
            </a>
            .
          </>
        )}
      </p>
      <Form form={form} action={t.send} cancel={onClose} sticky>
        <TextField
          field={form.field('email')}
          type="email"
          label={email}
          autoComplete="off"
          maxLength={254}
          spellCheck={false}
        />
        <TextField
          field={form.field('name')}
          label={name}
          hint={t.nameHint}
          optional
          autoComplete="off"
          maxLength={120}
        />
        <RoleField field={form.field('role')} />
      </Form>
    </Dialog>
  );
}
