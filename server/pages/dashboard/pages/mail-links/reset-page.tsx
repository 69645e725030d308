/**
 * The page `/reset`, on which a new password is chosen. Opened from a mail, without a session. A link works once; a
 * reload loses its secret, and the page says what to do.
 */
import { Link, useNavigate } from '@tanstack/react-router';
import { inLanguages, useWords } from '../../core/language.ts';
import { Outside } from '../../core/outside.tsx';
import { done } from '../../core/problem.ts';
import { plain, sessionState, signOut } from '../../core/session.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { NewPasswordField, usePasswordReasons } from '../sign-in/new-password-field.tsx';
import { SecondFactorField, secondFactorMember, useSecondFactor } from '../sign-in/second-factor-field.tsx';
import { useMailToken } from './mail-token.ts';

const words = inLanguages({
  en: {
    title: 'Choose a new password',
    password: 'New password',
    enterPassword: 'Enter a new password.',
    set: 'Set the password',
    another: 'Ask for another link',
    again: 'Open the link again',
    alone:
      'This page works with the link from the mail only, and keeps nothing of it when it is reloaded. Open the ' +
      'link once more, or ask for another.',
  },
  pt: {
    title: 'Escolha uma nova senha',
    password: 'Nova senha',
    enterPassword: 'Digite uma nova senha.',
    set: 'Definir a senha',
    another: 'Pedir outro link',
    again: 'Abra o link de novo',
    alone:
      'Esta página só funciona com o link do e-mail, e não guarda nada dele quando é recarregada. Abra o link ' +
      'mais uma vez, ou peça outro.',
  },
});

/** Sets a new password with the secret of the link. */
export function ResetPage() {
  const t = useWords(words);
  const token = useMailToken();
  return (
    <Outside>
      {token === null ? (
        <Page title={t.again}>
          <div className="card stack">
            <p>{t.alone}</p>
            <p>
              <Link to="/forgot">{t.another}</Link>
            </p>
          </div>
        </Page>
      ) : (
        <Choose key={token} token={token} />
      )}
    </Outside>
  );
}

function Choose({ token }: { readonly token: string }) {
  const t = useWords(words);
  const navigate = useNavigate();
  const factor = useSecondFactor();
  const reasons = usePasswordReasons();
  const form = useForm({
    initial: { newPassword: '', code: '' },
    required: { newPassword: t.enterPassword, ...factor.required },
    pointers: { code: factor.pointer },
    submit: async ({ newPassword, code }) => {
      await done(
        plain.POST('/v1/auth/password/reset', { body: { token, newPassword, ...secondFactorMember(factor, code) } }),
      );
      // All sessions have ended, including that of this browser.
      if (sessionState().status === 'signed-in') await signOut();
      await navigate({ to: '/sign-in', search: { after: 'reset' }, replace: true });
    },
    handle: (error) => {
      const weak = reasons(error);
      return weak === null ? factor.handle(error) : { newPassword: weak };
    },
  });
  return (
    <Page title={t.title}>
      <div className="card stack">
        <Form form={form} action={t.set}>
          <NewPasswordField field={form.field('newPassword')} label={t.password} />
          <SecondFactorField field={form.field('code')} factor={factor} />
        </Form>
        <p>
          <Link to="/forgot">{t.another}</Link>
        </p>
      </div>
    </Page>
  );
}
