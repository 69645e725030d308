/**
 * The dialog that enrols an authenticator. Opened by second-factor-section.tsx. The recovery codes are shown once only:
 * who closes without storing them cannot see them again.
 */
import { useState } from 'react';
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf, codeOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable, CopyButton } from '../../ui/copyable.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { saveFile } from '../../ui/save-file.ts';

const words = inLanguages({
  en: {
    enrol: 'Enrol an authenticator',
    lead: 'First your password, so that nobody does this at a screen that you left open.',
    current: 'Current password',
    enterCurrent: 'Enter your current password.',
    wrongPassword: 'The password is wrong.',
    next: 'Continue',
    scan: 'Scan this code',
    scanLead: 'With the authenticator app on your phone. Or type the secret: time-based, six digits.',
    onPhone: 'Is the app on this device?',
    openApp: 'Open in the authenticator app',
    qr: 'QR code of the secret',
    secret: 'the secret',
    first: 'First code',
    enterFirst: 'Enter the six digits that the app shows.',
    wrongCode: 'Wrong code. Enter the one that the app shows now.',
    confirm: 'Confirm',
    keep: 'Keep these recovery codes',
    once: 'They are shown this once.',
    use: 'Each signs you in once when the authenticator is lost. Keep them apart from it.',
    codes: 'Recovery codes',
    allCodes: 'all codes',
    download: 'Download',
    stored: 'I have stored them',
  },
  pt: {
    enrol: 'Cadastrar um autenticador',
    lead: 'Primeiro sua senha, para que ninguém faça isto numa tela que você deixou aberta.',
    current: 'Senha atual',
    enterCurrent: 'Digite sua senha atual.',
    wrongPassword: 'A senha está errada.',
    next: 'Continuar',
    scan: 'Leia este código',
    scanLead: 'Com o aplicativo autenticador do celular. Ou digite o segredo: baseado em tempo, seis dígitos.',
    onPhone: 'O aplicativo está neste aparelho?',
    openApp: 'Abrir no aplicativo autenticador',
    qr: 'Código QR do segredo',
    secret: 'o segredo',
    first: 'Primeiro código',
    enterFirst: 'Digite os seis dígitos que o aplicativo mostra.',
    wrongCode: 'Código errado. Digite o que o aplicativo mostra agora.',
    confirm: 'Confirmar',
    keep: 'Guarde estes códigos de recuperação',
    once: 'Eles só aparecem desta vez.',
    use: 'Cada um permite entrar uma vez quando o autenticador se perde. Guarde-os longe dele.',
    codes: 'Códigos de recuperação',
    allCodes: 'todos os códigos',
    download: 'Baixar',
    stored: 'Já guardei',
  },
});

interface Steps {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Enrols an authenticator in three steps: the password, the secret with its first code, the recovery codes. */
export function EnrolDialog({ onClose, onDone }: Steps) {
  const [enrolment, setEnrolment] = useState<Schemas['TotpEnrolment'] | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (enrolment !== null) return <Secret enrolment={enrolment} onClose={onClose} onConfirmed={setCodes} />;
  return <Password onClose={onClose} onEnrolment={setEnrolment} />;
}

function Password({
  onClose,
  onEnrolment,
}: {
  readonly onClose: () => void;
  readonly onEnrolment: (enrolment: Schemas['TotpEnrolment']) => void;
}) {
  const t = useWords(words);
  const form = useForm({
    initial: { password: '' },
    required: { password: t.enterCurrent },
    submit: async ({ password }) =>
      onEnrolment(await answerOf(client.POST('/v1/auth/totp/enroll', { body: { password } }))),
    handle: (error) => (codeOf(error) === 'invalid_current_password' ? { password: [t.wrongPassword] } : null),
  });
  return (
    <Dialog title={t.enrol} onClose={onClose}>
      <p className="muted">{t.lead}</p>
      <Form form={form} action={t.next} cancel={onClose}>
        <TextField
          field={form.field('password')}
          type="password"
          label={t.current}
          autoComplete="current-password"
          maxLength={128}
        />
      </Form>
    </Dialog>
  );
}

function Secret({
  enrolment: { secret, qrSvg, otpauthUri },
  onClose,
  onConfirmed,
}: {
  readonly enrolment: Schemas['TotpEnrolment'];
  readonly onClose: () => void;
  readonly onConfirmed: (codes: readonly string[]) => void;
}) {
  const t = useWords(words);
  const form = useForm({
    initial: { code: '' },
    required: { code: t.enterFirst },
    messages: { pattern: t.enterFirst, too_short: t.enterFirst },
    submit: async ({ code }) =>
      onConfirmed(
        (await answerOf(client.POST('/v1/auth/totp/confirm', { body: { code: code.trim() } }))).recoveryCodes,
      ),
    handle: (error) =>
      ['invalid_totp_code', 'invalid_mfa_code'].includes(codeOf(error)) ? { code: [t.wrongCode] } : null,
  });
  return (
    <Dialog title={t.scan} onClose={onClose}>
      <div className="account-phone stack">
        <p>{t.onPhone}</p>
        <p>
          <a className="button" href={otpauthUri}>
            {t.openApp}
          </a>
        </p>
      </div>
      <p className="muted">{t.scanLead}</p>
      {/* An image runs no script and loads nothing, whatever its content. */}
      <img
        className="account-qr"
        alt={t.qr}
        width={220}
        height={220}
        src={`data:image/svg+xml,${encodeURIComponent(qrSvg)}`}
      />
      <Copyable text={secret} what={t.secret} block />
      <Form form={form} action={t.confirm} cancel={onClose}>
        <TextField
          field={form.field('code')}
          label={t.first}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          className="code-input"
        />
      </Form>
    </Dialog>
  );
}

/**
 * Shows the recovery codes, once, because the service stores only their hashes. So only its own button closes the
 * dialog.
 */
function RecoveryCodes({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  const t = useWords(words);
  const text = codes.join('\n');
  return (
    <Dialog title={t.keep} onClose={onDone} dismissable={false}>
      <Notice tone="warning">
        <strong>{t.once}</strong> {t.use}
      </Notice>
      <ul className="account-codes" aria-label={t.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="row">
        <CopyButton text={text} what={t.allCodes} />
        <Button small onClick={() => saveFile('recovery-codes.txt', new Blob([`${text}\n`], { type: 'text/plain' }))}>
          {t.download}
        </Button>
      </div>
      <div className="buttons">
        <Button look="primary" onClick={onDone}>
          {t.stored}
        </Button>
      </div>
    </Dialog>
  );
}
