/**
 * Changes the password of the signed-in user, which ends their other sessions. Part of account-page.tsx. A wrong
 * current password and a weak new one are shown beside their fields.
 */
import { useQueryClient } from '@tanstack/react-query';
import { client } from '../../core/api.ts';
import { useCurrent } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { codeOf, done } from '../../core/problem.ts';
import { passwordChanged } from '../../core/session.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { announce } from '../../ui/toasts.tsx';
import { NewPasswordField, usePasswordReasons } from '../sign-in/new-password-field.tsx';

const words = inLanguages({
  en: {
    title: 'Password',
    current: 'Current password',
    enterCurrent: 'Enter your current password.',
    chosen: 'New password',
    enterChosen: 'Enter a new password.',
    change: 'Change the password',
    wrong: 'The password is wrong.',
    changed: 'The password is changed. Your other sessions have ended.',
  },
  pt: {
    title: 'Senha',
    current: 'Senha atual',
    enterCurrent: 'Digite sua senha atual.',
    chosen: 'Nova senha',
    enterChosen: 'Digite uma nova senha.',
    change: 'Mudar a senha',
    wrong: 'A senha está errada.',
    changed: 'A senha mudou. Suas outras sessões terminaram.',
  },
});

export function PasswordSection() {
  const t = useWords(words);
  const { user } = useCurrent();
  const queries = useQueryClient();
  const reasons = usePasswordReasons();
  const form = useForm({
    initial: { currentPassword: '', newPassword: '' },
    required: { currentPassword: t.enterCurrent, newPassword: t.enterChosen },
    submit: async (body) => {
      await done(client.POST('/v1/auth/password/change', { body }));
      form.set({ currentPassword: '', newPassword: '' });
      passwordChanged();
      announce(t.changed);
      await queries.invalidateQueries();
    },
    handle: (error) => {
      if (codeOf(error) === 'invalid_current_password') return { currentPassword: [t.wrong] };
      const weak = reasons(error);
      return weak === null ? null : { newPassword: weak };
    },
  });
  return (
    <Section title={t.title}>
      <Form form={form} action={t.change}>
        <TextField
          field={form.field('currentPassword')}
          type="password"
          label={t.current}
          autoComplete="current-password"
          maxLength={128}
        />
        <NewPasswordField field={form.field('newPassword')} label={t.chosen} mfaEnabled={user.mfaEnabled} />
      </Form>
    </Section>
  );
}
