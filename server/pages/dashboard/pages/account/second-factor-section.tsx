/** Shows whether the user has a second factor, and turns it on or off. Part of account-page.tsx. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { client } from '../../core/api.ts';
import { useCurrent, useRefreshCurrent } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { homeOf } from '../../core/navigation.ts';
import { codeOf, done } from '../../core/problem.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { announce } from '../../ui/toasts.tsx';
import { SecondFactorField, useSecondFactor } from '../sign-in/second-factor-field.tsx';
import { EnrolDialog } from './enrol-dialog.tsx';

const words = inLanguages({
  en: {
    title: 'Second factor',
    on: 'On',
    off: 'Off',
    isOn: 'Your password alone does not sign you in: a code of your authenticator is asked for, too.',
    isOff: 'With an authenticator app on your phone, a stolen password is not enough to sign in as you.',
    enrol: 'Enrol an authenticator',
    disable: 'Disable it',
    nowOn: 'The second factor is on.',
    nowOff: 'The second factor is off.',
    question: 'Disable the second factor?',
    consequence: 'From then on your password alone signs you in. The recovery codes stop working.',
    current: 'Current password',
    enterCurrent: 'Enter your current password.',
    wrong: 'The password is wrong.',
  },
  pt: {
    title: 'Segundo fator',
    on: 'Ativo',
    off: 'Inativo',
    isOn: 'Sua senha sozinha não basta para entrar: também se pede um código do seu autenticador.',
    isOff: 'Com um aplicativo autenticador no celular, uma senha roubada não basta para entrar como você.',
    enrol: 'Cadastrar um autenticador',
    disable: 'Desativar',
    nowOn: 'O segundo fator está ativo.',
    nowOff: 'O segundo fator está inativo.',
    question: 'Desativar o segundo fator?',
    consequence: 'A partir daí, sua senha sozinha basta para entrar. Os códigos de recuperação deixam de valer.',
    current: 'Senha atual',
    enterCurrent: 'Digite sua senha atual.',
    wrong: 'A senha está errada.',
  },
});

/** Shows whether the sign-in asks for a code, and changes that. */
export function SecondFactorSection() {
  const t = useWords(words);
  const current = useCurrent();
  const { user, mfaEnrolmentRequired } = current;
  const refresh = useRefreshCurrent();
  const navigate = useNavigate();
  // The answer to the enrolment may arrive before the dialog with the recovery codes is closed.
  const [hadToEnrol] = useState(mfaEnrolmentRequired);
  const [open, setOpen] = useState<'enrol' | 'disable' | null>(null);
  const finish = async (text: string) => {
    setOpen(null);
    announce(text);
    await refresh();
  };
  // A user who had to enrol first continues to the start page once the frame knows that the enrolment is done.
  const isFree = hadToEnrol && !current.mfaEnrolmentRequired && open === null;
  useEffect(() => {
    if (isFree) void navigate({ to: homeOf(current) });
  }, [isFree, navigate, current]);
  return (
    <Section
      title={t.title}
      actions={<Badge tone={user.mfaEnabled ? 'good' : 'warning'}>{user.mfaEnabled ? t.on : t.off}</Badge>}
    >
      <div className="account-factor">
        <p>{user.mfaEnabled ? t.isOn : t.isOff}</p>
        {user.mfaEnabled ? (
          <Button onClick={() => setOpen('disable')}>{t.disable}</Button>
        ) : (
          <Button look="primary" onClick={() => setOpen('enrol')}>
            {t.enrol}
          </Button>
        )}
      </div>
      {open === 'enrol' && <EnrolDialog onClose={() => setOpen(null)} onDone={() => void finish(t.nowOn)} />}
      {open === 'disable' && <DisableDialog onClose={() => setOpen(null)} onDone={() => void finish(t.nowOff)} />}
    </Section>
  );
}

function DisableDialog({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) {
  const t = useWords(words);
  const factor = useSecondFactor({ asked: true, member: 'code' });
  const form = useForm({
    initial: { password: '', code: '' },
    required: { password: t.enterCurrent, ...factor.required },
    pointers: { code: factor.pointer },
    submit: async ({ password, code }) => {
      const proof = factor.kind === 'recovery' ? { recoveryCode: code.trim() } : { code: code.trim() };
      await done(client.POST('/v1/auth/totp/disable', { body: { password, ...proof } }));
      onDone();
    },
    handle: (error) => (codeOf(error) === 'invalid_current_password' ? { password: [t.wrong] } : factor.handle(error)),
  });
  return (
    <Dialog title={t.question} onClose={onClose}>
      <p>{t.consequence}</p>
      <Form form={form} action={t.disable} danger cancel={onClose}>
        <TextField
          field={form.field('password')}
          type="password"
          label={t.current}
          autoComplete="current-password"
          maxLength={128}
        />
        <SecondFactorField field={form.field('code')} factor={factor} focus={false} />
      </Form>
    </Dialog>
  );
}
