/**
 * Everything about one key, apart from its secret. Used by keys-page.tsx; the list of scopes also by keys-table.tsx.
 */
import { api } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { useRoleName } from '../../core/roles.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useFormat } from '../../ui/format.ts';
import { Facts } from '../../ui/page.tsx';
import { KeyBadges, KeyNotices } from './key-state.tsx';
import type { KeyAction } from './key-actions.ts';
import { type ApiKey, useKeyWords } from './key-words.ts';

const words = inLanguages({
  en: {
    prefix: 'prefix',
    id: 'Prefix and client id',
    status: 'Status',
    environment: 'Environment',
    scopes: 'Scopes',
    persons: 'Persons',
    full: 'Shown in full',
    masked: 'Masked',
    lastUsed: 'Last used',
    never: 'Never',
    from: (address: string) => `from ${address}`,
    day: 'In 24 hours',
    requests: (count: number, number: string) => `${number} ${count === 1 ? 'request' : 'requests'}`,
    errors: (count: number, number: string) => `${number} ${count === 1 ? 'error' : 'errors'}`,
    expires: 'Expires',
    networks: 'From',
    anywhere: 'Anywhere',
    created: 'Created',
    by: (who: string) => `by ${who}`,
    answers: 'Answers for it',
    left: 'has left',
    as: (who: string, role: string) => `${who}, as ${role}`,
    creator: 'Who created it',
    somebody: 'Somebody else',
    host: 'Nobody: created on the host',
    sandbox: 'Sandbox',
    pinned: 'Never: it keeps to live',
  },
  pt: {
    prefix: 'prefixo',
    id: 'Prefixo e client id',
    status: 'Situação',
    environment: 'Ambiente',
    scopes: 'Escopos',
    persons: 'Pessoas',
    full: 'Mostradas por completo',
    masked: 'Com máscara',
    lastUsed: 'Último uso',
    never: 'Nunca',
    from: (address: string) => `de ${address}`,
    day: 'Em 24 horas',
    requests: (count: number, number: string) => `${number} ${count === 1 ? 'chamada' : 'chamadas'}`,
    errors: (count: number, number: string) => `${number} ${count === 1 ? 'erro' : 'erros'}`,
    expires: 'Expira',
    networks: 'De onde',
    anywhere: 'Qualquer lugar',
    created: 'Criada',
    by: (who: string) => `por ${who}`,
    answers: 'Responde por ela',
    left: 'saiu',
    as: (who: string, role: string) => `${who}, como ${role}`,
    creator: 'Quem a criou',
    somebody: 'Outra pessoa',
    host: 'Ninguém: criada no servidor',
    sandbox: 'Sandbox',
    pinned: 'Nunca: fica em produção',
  },
});

/** Shows all data of a key, and the available actions. */
export function KeyDetails({
  apiKey,
  actions,
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly actions: readonly KeyAction[];
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const { environments } = useKeyWords();
  const format = useFormat();
  const { requests24h, errors24h } = apiKey.usage;
  return (
    <Dialog title={apiKey.name} onClose={onClose} side="right">
      <KeyNotices apiKey={apiKey} />
      <Facts
        facts={[
          [t.status, <KeyBadges apiKey={apiKey} />],
          [t.environment, environments[apiKey.environment]],
          [t.id, <Copyable text={apiKey.prefix} what={t.prefix} />],
          [t.scopes, <Scopes scopes={apiKey.scopes} />],
          [t.persons, apiKey.personalData === 'full' ? t.full : t.masked],
          [
            t.lastUsed,
            apiKey.lastUsedAt === null
              ? t.never
              : [format.relative(apiKey.lastUsedAt), apiKey.lastUsedIp !== null && t.from(apiKey.lastUsedIp)]
                  .filter(Boolean)
                  .join(' '),
          ],
          [
            t.day,
            [
              t.requests(requests24h, format.number(requests24h)),
              errors24h > 0 && t.errors(errors24h, format.number(errors24h)),
            ]
              .filter(Boolean)
              .join(', '),
          ],
          [t.expires, apiKey.expiresAt === null ? t.never : format.day(apiKey.expiresAt)],
          [t.networks, apiKey.ipAllowlist.length === 0 ? t.anywhere : apiKey.ipAllowlist.join(', ')],
          ...(apiKey.pinEnvironment ? [[t.sandbox, t.pinned] as const] : []),
          [t.created, `${format.day(apiKey.createdAt)} ${t.by(apiKey.createdBy.display)}`],
          [t.answers, <Grantor apiKey={apiKey} />],
        ]}
      />
      {actions.length > 0 && (
        <div className="buttons sticky">
          {actions.map(({ label, danger = false, run }) => (
            <Button key={label} small look={danger ? 'quiet-danger' : 'plain'} onClick={run}>
              {label}
            </Button>
          ))}
        </div>
      )}
    </Dialog>
  );
}

export function Scopes({ scopes }: { readonly scopes: ApiKey['scopes'] }) {
  return (
    <span className="keys-scopes">
      {scopes.map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
    </span>
  );
}

/** Shows who granted the key or took it over. A key never has more permissions than its grantor. */
function Grantor({ apiKey: { grantor, createdBy } }: { readonly apiKey: ApiKey }) {
  const t = useWords(words);
  const may = useMay();
  const roleName = useRoleName();
  const tookOver = grantor !== null && grantor.userId !== createdBy.id;
  const person = api.useQuery(
    'get',
    '/v1/users/{userId}',
    { params: { path: { userId: grantor?.userId ?? '' } } },
    { enabled: tookOver && may('getUser') },
  );
  if (grantor === null) return t.host;
  const who = tookOver ? (person.data?.name ?? t.somebody) : createdBy.display;
  return (
    <>
      {t.as(who, roleName(grantor.role))}
      {!grantor.active && ` (${t.left})`}
    </>
  );
}
