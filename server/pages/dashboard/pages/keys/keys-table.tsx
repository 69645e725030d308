/** The table of keys. Used by keys-page.tsx. */
import { useMemo } from 'react';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { useFormat } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import type { KeyAction } from './key-actions.ts';
import { Scopes } from './key-details.tsx';
import { KeyBadges } from './key-state.tsx';
import { type ApiKey, useKeyWords } from './key-words.ts';

const words = inLanguages({
  en: {
    caption: 'API keys',
    name: 'Name',
    environment: 'Environment',
    scopes: 'Scopes',
    used: 'Last used',
    never: 'Never',
    expires: 'Expires',
    status: 'Status',
    actions: 'Actions',
    menu: (name: string) => `Actions on ${name}`,
  },
  pt: {
    caption: 'Chaves de API',
    name: 'Nome',
    environment: 'Ambiente',
    scopes: 'Escopos',
    used: 'Último uso',
    never: 'Nunca',
    expires: 'Expira',
    status: 'Situação',
    actions: 'Ações',
    menu: (name: string) => `Ações em ${name}`,
  },
});

interface Props {
  readonly keys: readonly ApiKey[];
  readonly actionsOn: (key: ApiKey) => readonly KeyAction[];
  readonly show: (key: ApiKey) => void;
}

export function KeysTable({ keys, actionsOn, show }: Props) {
  const t = useWords(words);
  const { environments } = useKeyWords();
  const format = useFormat();
  const columns = useMemo(() => {
    const column = columnsOf<ApiKey>();
    return [
      column.display({
        id: 'name',
        header: t.name,
        cell: ({ row: { original: key } }) => (
          <span className="keys-name">
            <button type="button" className="keys-open" onClick={() => show(key)}>
              {key.name}
            </button>
            <code className="muted">{key.prefix}_…</code>
          </span>
        ),
      }),
      column.display({
        id: 'environment',
        header: t.environment,
        cell: ({ row: { original: key } }) => (
          <Badge tone={key.environment === 'live' ? 'info' : 'neutral'}>{environments[key.environment]}</Badge>
        ),
      }),
      column.display({
        id: 'scopes',
        header: t.scopes,
        cell: ({ row: { original: key } }) => <Scopes scopes={key.scopes} />,
      }),
      column.display({
        id: 'used',
        header: t.used,
        cell: ({ row: { original: key } }) => (key.lastUsedAt === null ? t.never : format.relative(key.lastUsedAt)),
      }),
      column.display({
        id: 'expires',
        header: t.expires,
        cell: ({ row: { original: key } }) => (key.expiresAt === null ? t.never : format.day(key.expiresAt)),
      }),
      column.display({
        id: 'status',
        header: t.status,
        cell: ({ row: { original: key } }) => <KeyBadges apiKey={key} />,
      }),
      column.display({
        id: 'actions',
        header: () => <span className="visually-hidden">{t.actions}</span>,
        cell: ({ row: { original: key } }) => {
          const actions = actionsOn(key);
          return (
            actions.length > 0 && (
              <div className="row-menu">
                <Menu label={t.menu(key.name)} actions={actions} />
              </div>
            )
          );
        },
      }),
    ];
  }, [t, environments, format, actionsOn, show]);
  return <DataTable caption={t.caption} rows={keys} columns={columns} rowId={({ prefix }) => prefix} />;
}
