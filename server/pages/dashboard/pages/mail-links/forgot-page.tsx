/**
 * The page `/forgot`, which asks for a mail to choose a new password. Opened by shell/routes.tsx, without a session. It
 * must say the same whether or not the address has an account.
 */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { installation } from '../../core/installation.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Outside } from '../../core/outside.tsx';
import { answerOf } from '../../core/problem.ts';
import { plain } from '../../core/session.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';

const words = inLanguages({
  en: {
    title: 'Reset your password',
    lead: 'We send a link to your address. With it you choose a new password; all your sessions end.',
    email: 'E-mail',
    enterEmail: 'Enter your e-mail address.',
    send: 'Send the link',
    back: 'Back to the sign-in',
    sent: 'Look into your mail',
    onItsWay: (minutes: number) =>
      `If somebody has this address, a mail is on its way. Its link works once, for ${minutes} minutes.`,
    noMail: 'This installation delivers no mail: read it in the',
    outbox: 'outbox',
  },
  pt: {
    title: 'Redefinir sua senha',
    lead: 'Enviamos um link ao seu endereço. Com ele você escolhe uma nova senha; todas as suas sessões terminam.',
    email: 'E-mail',
    enterEmail: 'Digite seu e-mail.',
    send: 'Enviar o link',
    back: 'Voltar ao acesso',
    sent: 'Veja seus e-mails',
    onItsWay: (minutes: number) =>
      `Se alguém tem este endereço, um e-mail está a caminho. O link vale uma vez, por ${minutes} minutos.`,
    noMail: 'Esta instalação não entrega e-mails: leia na',
    outbox: 'caixa de saída',
  },
});

/** Requests the mail with the link. */
export function ForgotPage() {
  const [minutes, setMinutes] = useState<number | null>(null);
  return <Outside>{minutes === null ? <Ask sent={setMinutes} /> : <Sent key="sent" minutes={minutes} />}</Outside>;
}

function Ask({ sent }: { readonly sent: (minutes: number) => void }) {
  const t = useWords(words);
  const form = useForm({
    initial: { email: '' },
    required: { email: t.enterEmail },
    submit: async ({ email }) =>
      sent(
        (await answerOf(plain.POST('/v1/auth/password/forgot', { body: { email: email.trim() } }))).linkValidMinutes,
      ),
  });
  return (
    <Page title={t.title} lead={t.lead}>
      <div className="card stack">
        <Form form={form} action={t.send}>
          <TextField
            field={form.field('email')}
            type="email"
            label={t.email}
            autoComplete="username"
            maxLength={254}
            spellCheck={false}
          />
        </Form>
        <p>
          <Link to="/sign-in">{t.back}</Link>
        </p>
      </div>
    </Page>
  );
}

/** Shows the same words for every address, so that they do not reveal who has an account. */
function Sent({ minutes }: { readonly minutes: number }) {
  const t = useWords(words);
  const { outbox } = installation();
  return (
    <Page title={t.sent}>
      <div className="card stack">
        <p>{t.onItsWay(minutes)}</p>
        {outbox !== null && (
          <p className="hint">
            {t.noMail} <a href={outbox}>{t.outbox}</a>.
          </p>
        )}
        <p>
          <Link to="/sign-in">{t.back}</Link>
        </p>
      </div>
    </Page>
  );
}
