import { Link, useNavigate } from '@tanstack/react-router';
import { inLanguages, useWords } from '../../app/language.ts';
import { Outside } from '../../app/outside.tsx';
import { codeOf } from '../../app/problem.ts';
import { useSession } from '../../app/session.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { NewPasswordField, usePasswordReasons } from '../sign-in/new-password-field.tsx';
import { SecondFactorField, secondFactorMember, useSecondFactor } from '../sign-in/second-factor-field.tsx';
import { join } from './join.ts';
import { useMailToken } from './mail-token.ts';

const words = inLanguages({
  en: {
    title: 'Welcome', lead: 'Choose a password and you are in. If your address has an account here already, give the password of that account.',
    name: 'Your name', nameHint: 'As colleagues and the audit log shall see it.', enterName: 'Enter your name.', password: 'Password', enterPassword: 'Enter a password.', join: 'Join',
    forgot: 'Forgot the password of your account?', known: 'Your address has an account already, and this is not its password.',
    other: 'Somebody is signed in in this browser. Joining signs them out here.', again: 'Open the link again',
    alone: 'This page works with the link from the mail only, and keeps nothing of it when it is reloaded. Open the link once more, or ask whoever invited you for another.',
    signIn: 'Sign in instead',
  },
  pt: {
    title: 'Boas-vindas', lead: 'Escolha uma senha e pronto. Se seu endereço já tem uma conta aqui, use a senha dela.',
    name: 'Seu nome', nameHint: 'Como colegas e a trilha de auditoria devem vê-lo.', enterName: 'Digite seu nome.', password: 'Senha', enterPassword: 'Digite uma senha.', join: 'Participar',
    forgot: 'Esqueceu a senha da sua conta?', known: 'Seu endereço já tem uma conta, e esta não é a senha dela.',
    other: 'Alguém está conectado neste navegador. Ao participar, essa pessoa sai daqui.', again: 'Abra o link de novo',
    alone: 'Esta página só funciona com o link do e-mail, e não guarda nada dele quando é recarregada. Abra o link mais uma vez, ou peça outro a quem convidou você.',
    signIn: 'Entrar em vez disso',
  },
});

/** Joins a tenant with the secret of the link, and signs in. */
export function InvitationPage() {
  const t = useWords(words);
  const token = useMailToken();
  return (
    <Outside>
      {token === null
        ? <Page title={t.again}><div className="card stack"><p>{t.alone}</p><p><Link to="/sign-in">{t.signIn}</Link></p></div></Page>
        : <Accept key={token} token={token} />}
    </Outside>
  );
}

function Accept({ token }: { readonly token: string }) {
  const t = useWords(words);
  const session = useSession();
  const navigate = useNavigate();
  const factor = useSecondFactor();
  const reasons = usePasswordReasons();
  const form = useForm({
    initial: { name: '', password: '', code: '' },
    required: { name: t.enterName, password: t.enterPassword, ...factor.required },
    pointers: { code: factor.pointer },
    submit: async ({ name, password, code }) => {
      const signedIn = await join({ token, name: name.trim(), password, ...secondFactorMember(factor, code) });
      await navigate({ to: '/sign-in', search: signedIn ? {} : { after: 'joined' }, replace: true });
    },
    handle: (error) => {
      if (codeOf(error) === 'invalid_credentials') return { password: [t.known] };
      const weak = reasons(error);
      return weak === null ? factor.handle(error) : { password: weak };
    },
  });
  return (
    <Page title={t.title} lead={t.lead}>
      {session.status === 'signed-in' && !form.busy && <Notice tone="warning">{t.other}</Notice>}
      <div className="card stack">
        <Form form={form} action={t.join}>
          <TextField field={form.field('name')} label={t.name} hint={t.nameHint} autoComplete="name" maxLength={120} />
          <NewPasswordField field={form.field('password')} label={t.password} />
          <SecondFactorField field={form.field('code')} factor={factor} />
        </Form>
        <p><Link to="/forgot">{t.forgot}</Link></p>
      </div>
    </Page>
  );
}
