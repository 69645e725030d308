import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, type Schemas } from '../../app/api.ts';
import { installation } from '../../app/installation.ts';
import { inLanguages, useWords } from '../../app/language.ts';
import { openTo } from '../../app/navigation.ts';
import { codeOf, isProblem } from '../../app/problem.ts';
import { signIn, useSession } from '../../app/session.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Loading } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SecondFactorField, secondFactorMember, type SecondFactorKind } from './second-factor-field.tsx';

const words = inLanguages({
  en: {
    title: 'Sign in', email: 'E-mail', enterEmail: 'Enter your e-mail address.', password: 'Password', enterPassword: 'Enter your password.', enterCode: 'Enter the code.',
    tenant: 'Tenant', tenantHint: 'Your e-mail belongs to several. Choose the one to work in.', forgot: 'Forgot your password?',
    ended: 'Your session has ended. Sign in again.', left: 'You are signed out.', wrongCode: 'Wrong, or used before. Wait for the next code.',
    demo: 'Demo installation: the sign-in was printed when the service started, and stands in', demoFile: 'of its data directory.', outbox: 'Mail of the demo',
  },
  pt: {
    title: 'Entrar', email: 'E-mail', enterEmail: 'Digite seu e-mail.', password: 'Senha', enterPassword: 'Digite sua senha.', enterCode: 'Digite o código.',
    tenant: 'Inquilino', tenantHint: 'Seu e-mail pertence a vários. Escolha aquele em que vai trabalhar.', forgot: 'Esqueceu a senha?',
    ended: 'Sua sessão terminou. Entre de novo.', left: 'Você saiu.', wrongCode: 'Errado, ou já usado. Espere o próximo código.',
    demo: 'Instalação de demonstração: o acesso foi mostrado quando o serviço começou, e está em', demoFile: 'do seu diretório de dados.', outbox: 'E-mails da demonstração',
  },
});

/** The sign-in: e-mail and password, then the tenant and the second factor where they are needed. */
export function SignInPage() {
  const session = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (session.status === 'signed-in') return path === '/sign-in' ? <Onward /> : null;
  if (session.status === 'starting') return <Loading />;
  return <main id="main" className="outside"><SignIn /></main>;
}

/** Somebody who is signed in already goes to their first page. */
function Onward() {
  const navigate = useNavigate();
  const { data } = api.useQuery('get', '/v1/auth/me');
  useEffect(() => {
    if (data !== undefined) void navigate({ to: openTo(data)[0]?.to ?? '/account', replace: true });
  }, [data, navigate]);
  return <Loading />;
}

function SignIn() {
  const t = useWords(words);
  const session = useSession();
  const { demo, outbox } = installation();
  const [tenants, setTenants] = useState<readonly Schemas['TenantChoice'][]>([]);
  const [factor, setFactor] = useState<SecondFactorKind | null>(null);
  const form = useForm({
    initial: { email: '', password: '', tenantSlug: '', code: '' },
    required: { email: t.enterEmail, password: t.enterPassword, ...(factor !== null && { code: t.enterCode }) },
    submit: ({ email, password, tenantSlug, code }) => signIn({
      email: email.trim(), password, ...(tenants.length > 0 && { tenantSlug }), ...(factor !== null && secondFactorMember(factor, code)),
    }),
    handle: (error) => {
      if (codeOf(error) === 'mfa_required') {
        setFactor('totp');
        return true;
      }
      if (codeOf(error) === 'invalid_mfa_code') return { code: [t.wrongCode] };
      if (!isProblem(error) || error.code !== 'tenant_selection_required') return null;
      setTenants(error.tenants ?? []);
      form.set({ tenantSlug: error.tenants?.[0]?.slug ?? '' });
      return true;
    },
  });
  // Another e-mail may belong to other tenants, and to a person without a second factor.
  const email = form.field('email');
  const changeEmail = (value: string) => {
    setTenants([]);
    setFactor(null);
    email.change(value);
  };

  return (
    <div className="sign-in">
      <Page title={t.title}>
        {session.status === 'signed-out' && session.reason !== 'none' && <Notice tone={session.reason === 'ended' ? 'warning' : 'good'} role="status">{t[session.reason]}</Notice>}
        <div className="card stack">
          <Form form={form} action={t.title}>
            <TextField field={{ ...email, change: changeEmail }} type="email" label={t.email} autoComplete="username" maxLength={254} spellCheck={false} />
            <TextField field={form.field('password')} type="password" label={t.password} autoComplete="current-password" maxLength={128} />
            {tenants.length > 0 && <SelectField field={form.field('tenantSlug')} label={t.tenant} hint={t.tenantHint} options={tenants.map(({ slug, name }) => [slug, name])} />}
            {factor !== null && <SecondFactorField field={form.field('code')} kind={factor} choose={setFactor} />}
          </Form>
          <p><Link to="/forgot">{t.forgot}</Link></p>
          {demo && <p className="hint">{t.demo} <code>demo.json</code> {t.demoFile}{outbox !== null && <> <a href={outbox}>{t.outbox}</a>.</>}</p>}
        </div>
      </Page>
    </div>
  );
}
