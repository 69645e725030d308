/**
 * The page `/invitation`, on which an invited person joins a tenant. Opened from a mail, without a session. A link that
 * no longer works is explained.
 */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Outside } from '../../core/outside.tsx';
import { answerOf, codeOf, isProblem } from '../../core/problem.ts';
import { useRoleName } from '../../core/roles.ts';
import { joinByInvitation, plain, useSession } from '../../core/session.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Failure, Notice } from '../../ui/notice.tsx';
import { Facts, Page } from '../../ui/page.tsx';
import { NewPasswordField, usePasswordReasons } from '../sign-in/new-password-field.tsx';
import { SecondFactorField, secondFactorMember, useSecondFactor } from '../sign-in/second-factor-field.tsx';
import { useMailToken } from './mail-token.ts';

const words = inLanguages({
  en: {
    title: (tenant: string) => `Join ${tenant}`,
    invites: (inviter: string, role: string) => `${inviter} invites you as ${role}.`,
    email: 'You sign in with',
    until: 'The link works until',
    invalid: 'This invitation cannot be accepted',
    passwordHint:
      'At least 15 characters, a few words for example. If your address has an account here already, give the ' +
      'password of that account.',
    name: 'Your name',
    nameHint: 'As colleagues and the audit log shall see it.',
    enterName: 'Enter your name.',
    password: 'Password',
    enterPassword: 'Enter a password.',
    join: 'Join',
    forgot: 'Forgot the password of your account?',
    known: 'Your address has an account already, and this is not its password.',
    other: 'Somebody is signed in in this browser. Joining signs them out here.',
    again: 'Open the link again',
    alone:
      'This page works with the link from the mail only, and keeps nothing of it when it is reloaded. Open the ' +
      'link once more, or ask whoever invited you for another.',
    signIn: 'Sign in instead',
  },
  pt: {
    title: (tenant: string) => `Participar de ${tenant}`,
    invites: (inviter: string, role: string) => `${inviter} convida você como ${role}.`,
    email: 'Você entra com',
    until: 'O link vale até',
    invalid: 'Este convite não pode ser aceito',
    passwordHint:
      'Ao menos 15 caracteres, algumas palavras, por exemplo. Se seu endereço já tem uma conta aqui, use a senha dela.',
    name: 'Seu nome',
    nameHint: 'Como colegas e a trilha de auditoria devem vê-lo.',
    enterName: 'Digite seu nome.',
    password: 'Senha',
    enterPassword: 'Digite uma senha.',
    join: 'Participar',
    forgot: 'Esqueceu a senha da sua conta?',
    known: 'Seu endereço já tem uma conta, e esta não é a senha dela.',
    other: 'Alguém está conectado neste navegador. Ao participar, essa pessoa sai daqui.',
    again: 'Abra o link de novo',
    alone:
      'Esta página só funciona com o link do e-mail, e não guarda nada dele quando é recarregada. Abra o link ' +
      'mais uma vez, ou peça outro a quem convidou você.',
    signIn: 'Entrar em vez disso',
  },
});

/** Joins a tenant with the secret of the link, and signs in. */
export function InvitationPage() {
  const t = useWords(words);
  const token = useMailToken();
  return (
    <Outside>
      {token === null ? (
        <Page title={t.again}>
          <div className="card stack">
            <p>{t.alone}</p>
            <p>
              <Link to="/sign-in">{t.signIn}</Link>
            </p>
          </div>
        </Page>
      ) : (
        <Invitation key={token} token={token} />
      )}
    </Outside>
  );
}

/**
 * Shows who invites to which tenant, or why the invitation is no longer valid. Each read of an invitation is an event
 * of the log, so it is read once.
 */
function Invitation({ token }: { readonly token: string }) {
  const t = useWords(words);
  const preview = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => answerOf(plain.POST('/v1/auth/invitations/preview', { body: { token } })),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  if (isProblem(preview.error)) {
    return (
      <Page title={t.invalid}>
        <div className="card stack">
          <Failure error={preview.error} />
          <p>
            <Link to="/sign-in">{t.signIn}</Link>
          </p>
        </div>
      </Page>
    );
  }
  return <Loaded query={preview}>{(invitation) => <Accept token={token} invitation={invitation} />}</Loaded>;
}

function Accept({ token, invitation }: { readonly token: string; readonly invitation: Schemas['InvitationPreview'] }) {
  const t = useWords(words);
  const format = useFormat();
  const roleName = useRoleName();
  const session = useSession();
  const navigate = useNavigate();
  const factor = useSecondFactor();
  const reasons = usePasswordReasons();
  const form = useForm({
    initial: { name: '', password: '', code: '' },
    required: { name: t.enterName, password: t.enterPassword, ...factor.required },
    pointers: { code: factor.pointer },
    submit: async ({ name, password, code }) => {
      await joinByInvitation({
        token,
        name: name.trim(),
        password,
        ...secondFactorMember(factor, code),
      });
      await navigate({ to: '/sign-in', replace: true });
    },
    handle: (error) => {
      if (codeOf(error) === 'invalid_credentials') return { password: [t.known] };
      const weak = reasons(error);
      return weak === null ? factor.handle(error) : { password: weak };
    },
  });
  return (
    <Page title={t.title(invitation.tenantName)} lead={t.invites(invitation.inviterName, roleName(invitation.role))}>
      {session.status === 'signed-in' && !form.busy && <Notice tone="warning">{t.other}</Notice>}
      <div className="card stack">
        <Facts
          facts={[
            [t.email, invitation.email],
            [t.until, format.dateTime(invitation.expiresAt)],
          ]}
        />
        <Form form={form} action={t.join}>
          <TextField field={form.field('name')} label={t.name} hint={t.nameHint} autoComplete="name" maxLength={120} />
          <NewPasswordField field={form.field('password')} label={t.password} hint={t.passwordHint} />
          <SecondFactorField field={form.field('code')} factor={factor} />
        </Form>
        <p>
          <Link to="/forgot">{t.forgot}</Link>
        </p>
      </div>
    </Page>
  );
}
