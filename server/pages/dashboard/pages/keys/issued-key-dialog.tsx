/**
 * Shows the secret of a new key. Opened by keys-page.tsx. Nothing can show the secret again; a lost one must be
 * rotated.
 */
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../core/api.ts';
import { useCurrent } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Facts } from '../../ui/page.tsx';
import { firstRequest } from './first-request.ts';

const words = inLanguages({
  en: {
    title: (name: string) => `The key “${name}” is ready`,
    now: 'Copy it now.',
    once: 'The secret is shown this once. It cannot be shown again: if it is lost, rotate the key.',
    secret: 'secret',
    stored: 'I have stored it',
    header: 'As an API key',
    sendIn: 'send it in the header',
    token: 'For an OAuth token',
    clientSecret: 'the secret above',
    try: 'Your first request',
    tryHint: 'Ready for a terminal. It holds the secret, so do not send it to anybody.',
    request: 'request',
    nothing: 'No call works with these scopes alone, so there is no first request to try.',
    networks: 'It works from the allowed networks only.',
    sandbox: 'The sandbox is off: this test key is refused until somebody switches it on.',
    toSandbox: 'To the sandbox',
  },
  pt: {
    title: (name: string) => `A chave “${name}” está pronta`,
    now: 'Copie agora.',
    once: 'O segredo só aparece desta vez. Não pode ser mostrado de novo: se for perdido, rotacione a chave.',
    secret: 'segredo',
    stored: 'Já guardei',
    header: 'Como chave de API',
    sendIn: 'envie no cabeçalho',
    token: 'Para um token OAuth',
    clientSecret: 'o segredo acima',
    try: 'Sua primeira chamada',
    tryHint: 'Pronta para um terminal. Ela contém o segredo: não a envie a ninguém.',
    request: 'chamada',
    nothing: 'Nenhuma chamada funciona só com estes escopos, então não há uma primeira chamada para testar.',
    networks: 'Funciona só a partir das redes permitidas.',
    sandbox: 'O sandbox está desligado: esta chave de teste é recusada até que alguém o ligue.',
    toSandbox: 'Para o sandbox',
  },
});

/** Shows a secret once: it is only in this dialog and in the answer of the service. */
export function IssuedKeyDialog({
  issued: { apiKey, secret },
  onClose,
}: {
  readonly issued: Schemas['ApiKeyIssued'];
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const { environment } = useCurrent();
  const request = firstRequest(location.origin, secret, apiKey.scopes);
  return (
    <Dialog title={t.title(apiKey.name)} onClose={onClose} dismissable={false} wide>
      <Notice tone="warning">
        <strong>{t.now}</strong> {t.once}
      </Notice>
      <Copyable text={secret} what={t.secret} block />
      <Facts
        facts={[
          [
            t.header,
            <>
              {t.sendIn} <code>X-API-Key</code>
            </>,
          ],
          [
            t.token,
            <>
              <code>client_id</code>: <code>{apiKey.prefix}</code>; <code>client_secret</code>: {t.clientSecret}
            </>,
          ],
        ]}
      />
      <section className="stack" aria-label={t.try}>
        <h3>{t.try}</h3>
        {request === null ? (
          <p className="hint">{t.nothing}</p>
        ) : (
          <>
            <p className="hint">
              {t.tryHint}
              {apiKey.ipAllowlist.length > 0 && ` ${t.networks}`}
            </p>
            <Copyable text={request} what={t.request} block />
          </>
        )}
        {apiKey.environment === 'test' && environment !== 'sandbox' && (
          <Notice tone="warning">
            {t.sandbox}{' '}
            <Link to="/sandbox" target="_blank">
              {t.toSandbox}
            </Link>
          </Notice>
        )}
      </section>
      <div className="buttons sticky">
        <Button look="primary" onClick={onClose}>
          {t.stored}
        </Button>
      </div>
    </Dialog>
  );
}
