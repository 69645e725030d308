/** The state of a key in words, with what to do about it. Used by the table, the details and key-actions.ts. */
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { useFormat } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { type ApiKey, STATUS_TONES, useKeyWords } from './key-words.ts';

const words = inLanguages({
  en: {
    refused: 'Refused',
    endsSoon: 'Ends soon',
    orphan: 'Refused: the person who granted it has left. An owner or administrator takes it over.',
    soon: (when: string) => `Ends ${when}. Rotate it, or move its expiry, before its callers are refused.`,
    rotating: (when: string, successor: string) => (
      <>
        Rotating: ends {when}. Its successor is <code>{successor}</code>.
      </>
    ),
  },
  pt: {
    refused: 'Recusada',
    endsSoon: 'Termina logo',
    orphan: 'Recusada: quem a concedeu saiu. Um proprietário ou administrador precisa assumi-la.',
    soon: (when: string) => `Termina ${when}. Rotacione, ou adie a expiração, antes que as chamadas sejam recusadas.`,
    rotating: (when: string, successor: string) => (
      <>
        Em rotação: termina em {when}. A sucessora é <code>{successor}</code>.
      </>
    ),
  },
});

/** Time before the expiry from which the service warns in every answer to the key, and this page too. */
const WARNING_MS = 30 * 86_400_000;

function endsSoon({ status, expiresAt }: ApiKey): boolean {
  return status === 'active' && expiresAt !== null && Date.parse(expiresAt) - Date.now() < WARNING_MS;
}

/** Returns whether the grantor has left, so that the key is refused. */
export function isOrphan({ status, grantor }: ApiKey): boolean {
  return grantor?.active === false && !hasEnded(status);
}

export function hasEnded(status: ApiKey['status']): boolean {
  return status === 'expired' || status === 'revoked';
}

/** State of a key in a word or two, for the list. */
export function KeyBadges({ apiKey }: { readonly apiKey: ApiKey }) {
  const t = useWords(words);
  const { statuses } = useKeyWords();
  return (
    <span className="row">
      {isOrphan(apiKey) ? (
        <Badge tone="danger">{t.refused}</Badge>
      ) : (
        <Badge tone={STATUS_TONES[apiKey.status]}>{statuses[apiKey.status]}</Badge>
      )}
      {endsSoon(apiKey) && <Badge tone="warning">{t.endsSoon}</Badge>}
    </span>
  );
}

/** State of a key in sentences, with what to do. */
export function KeyNotices({ apiKey }: { readonly apiKey: ApiKey }) {
  const t = useWords(words);
  const format = useFormat();
  return (
    <>
      {isOrphan(apiKey) && <Notice tone="warning">{t.orphan}</Notice>}
      {endsSoon(apiKey) && apiKey.expiresAt !== null && (
        <Notice tone="warning">{t.soon(format.relative(apiKey.expiresAt))}</Notice>
      )}
      {apiKey.rotation !== null && !hasEnded(apiKey.status) && (
        <Notice>{t.rotating(format.dateTime(apiKey.rotation.graceUntil), apiKey.rotation.successorPrefix)}</Notice>
      )}
    </>
  );
}
