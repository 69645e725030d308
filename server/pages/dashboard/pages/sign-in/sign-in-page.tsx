/**
 * The page `/sign-in`. Opened by shell/routes.tsx, and by root.tsx at any path if nobody is signed in. An address that
 * belongs to several tenants asks which one.
 */
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { installation } from '../../core/installation.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { homeOf } from '../../core/navigation.ts';
import { Outside } from '../../core/outside.tsx';
import { isProblem } from '../../core/problem.ts';
import { signIn, useSession } from '../../core/session.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Loading } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SecondFactorField, secondFactorMember, useSecondFactor } from './second-factor-field.tsx';

const words = inLanguages({
  en: {
    title: 'Sign in',
    email: 'E-mail',
    enterEmail: 'Enter your e-mail address.',
    password: 'Password',
    enterPassword: 'Enter your password.',
    tenant: 'Tenant',
    tenantHint: 'Your e-mail belongs to several. Choose the one to work in.',
    forgot: 'Forgot your password?',
    ended: 'Your session has ended. Sign in again.',
    left: 'You are signed out.',
    reset: 'The password is set, and all your sessions have ended. Sign in with it.',
    demo: 'Demo installation: the sign-in was printed when the service started, and stands in',
    demoFile: 'of its data directory.',
    outbox: 'Mail of the demo',
  },
  pt: {
    title: 'Entrar',
    email: 'E-mail',
    enterEmail: 'Digite seu e-mail.',
    password: 'Senha',
    enterPassword: 'Digite sua senha.',
    tenant: 'Inquilino',
    tenantHint: 'Seu e-mail pertence a vários. Escolha aquele em que vai trabalhar.',
    forgot: 'Esqueceu a senha?',
    ended: 'Sua sessão terminou. Entre de novo.',
    left: 'Você saiu.',
    reset: 'A senha está definida, e todas as suas sessões terminaram. Entre com ela.',
    demo: 'Instalação de demonstração: o acesso foi mostrado quando o serviço começou, e está em',
    demoFile: 'do seu diretório de dados.',
    outbox: 'E-mails da demonstração',
  },
});

/** The sign-in: e-mail and password, then the tenant and the second factor if needed. */
export function SignInPage() {
  const session = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (session.status === 'signed-in') return path === '/sign-in' ? <Onward /> : null;
  if (session.status === 'starting') return <Loading />;
  return (
    <Outside>
      <SignIn />
    </Outside>
  );
}

/** Redirects a signed-in user to the start page. */
function Onward() {
  const navigate = useNavigate();
  const { data } = api.useQuery('get', '/v1/auth/me');
  useEffect(() => {
    if (data !== undefined) void navigate({ to: homeOf(data), replace: true });
  }, [data, navigate]);
  return <Loading />;
}

function SignIn() {
  const t = useWords(words);
  const session = useSession();
  const { after } = useSearch({ strict: false });
  const { demo, outbox } = installation();
  const [tenants, setTenants] = useState<readonly Schemas['TenantChoice'][]>([]);
  const factor = useSecondFactor();
  const form = useForm({
    initial: {
      email: '',
      password: '',
      tenantSlug: '',
      code: '',
    },
    required: { email: t.enterEmail, password: t.enterPassword, ...factor.required },
    pointers: { code: factor.pointer },
    submit: ({ email, password, tenantSlug, code }) =>
      signIn({
        email: email.trim(),
        password,
        ...(tenants.length > 0 && { tenantSlug }),
        ...secondFactorMember(factor, code),
      }),
    handle: (error) => {
      if (!isProblem(error) || error.code !== 'tenant_selection_required') return factor.handle(error);
      setTenants(error.tenants ?? []);
      form.set({ tenantSlug: error.tenants?.[0]?.slug ?? '' });
      return true;
    },
  });
  // Another e-mail may belong to other tenants, and to a user without a second factor.
  const email = form.field('email');
  const changeEmail = (value: string) => {
    setTenants([]);
    factor.choose(null);
    email.change(value);
  };
  const left = session.status === 'signed-out' && session.reason !== 'none' ? session.reason : null;

  return (
    <Page title={t.title}>
      {after !== undefined ? (
        <Notice tone="good" role="status">
          {t[after]}
        </Notice>
      ) : (
        left !== null && (
          <Notice tone={left === 'ended' ? 'warning' : 'good'} role="status">
            {t[left]}
          </Notice>
        )
      )}
      <div className="card stack">
        <Form form={form} action={t.title}>
          <TextField
            field={{ ...email, change: changeEmail }}
            type="email"
            label={t.email}
            autoComplete="username"
            maxLength={254}
            spellCheck={false}
          />
          <TextField
            field={form.field('password')}
            type="password"
            label={t.password}
            autoComplete="current-password"
            maxLength={128}
          />
          {tenants.length > 0 && (
            <SelectField
              field={form.field('tenantSlug')}
              label={t.tenant}
              hint={t.tenantHint}
              options={tenants.map(({ slug, name }) => [slug, name])}
            />
          )}
          <SecondFactorField field={form.field('code')} factor={factor} />
        </Form>
        <p>
          {/* Loads a new document: at `/camera`, this one may use the camera. */}
          <a href="/forgot">{t.forgot}</a>
        </p>
      </div>
      {demo && (
        <p className="hint">
          {t.demo} <code>demo.json</code> {t.demoFile}
          {outbox !== null && (
            <>
              {' '}
              <a href={outbox}>{t.outbox}</a>.
            </>
          )}
        </p>
      )}
    </Page>
  );
}
