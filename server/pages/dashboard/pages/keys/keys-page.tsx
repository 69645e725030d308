/** The page `/keys`, for the API keys of the tenant. Opened by shell/routes.tsx. */
import './keys.css';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useCurrent, useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { Button } from '../../ui/button.tsx';
import { Filters, SelectFilter } from '../../ui/filters.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { More } from '../../ui/more.tsx';
import { Empty, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { announce } from '../../ui/toasts.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { EditKeyDialog, ScopesDialog, TakeOverDialog } from './edit-key-dialogs.tsx';
import { RevokeKeyDialog, RotateKeyDialog } from './end-key-dialogs.tsx';
import { IssuedKeyDialog } from './issued-key-dialog.tsx';
import { type KeyActionName, useKeyActions } from './key-actions.ts';
import { KeyDetails } from './key-details.tsx';
import { type ApiKey, useKeyWords } from './key-words.ts';
import type { KeysSearch } from './keys-search.ts';
import { KeysTable } from './keys-table.tsx';

const words = inLanguages({
  en: {
    title: 'API keys',
    lead: 'Your systems call the API with these.',
    create: 'Create a key',
    sandboxOn: 'Sandbox mode is on: what live keys create goes to the sandbox, unless they keep to live.',
    toSandbox: 'To the sandbox',
    view: 'Which keys',
    views: { used: 'In use', unused: 'Unused for 90 days', ended: 'Ended' },
    environment: 'Environment',
    all: 'All',
    empty: { used: 'No key here yet', unused: 'Every key was used in the last 90 days', ended: 'No key has ended' },
    emptyHint: 'Create one to call the API.',
    saved: (name: string) => `${name} saved.`,
    scopesSaved: (name: string) => `Scopes of ${name} saved.`,
    takenOver: (name: string) => `You answer for ${name} now.`,
    revoked: (name: string) => `${name} revoked.`,
    listed: (name: string) => `${name} is in the list.`,
  },
  pt: {
    title: 'Chaves de API',
    lead: 'Seus sistemas chamam a API com elas.',
    create: 'Criar uma chave',
    sandboxOn:
      'O modo sandbox está ligado: o que chaves de produção criam vai para o sandbox, exceto as mantidas em produção.',
    toSandbox: 'Para o sandbox',
    view: 'Quais chaves',
    views: { used: 'Em uso', unused: 'Sem uso há 90 dias', ended: 'Encerradas' },
    environment: 'Ambiente',
    all: 'Todos',
    empty: {
      used: 'Nenhuma chave aqui ainda',
      unused: 'Toda chave foi usada nos últimos 90 dias',
      ended: 'Nenhuma chave terminou',
    },
    emptyHint: 'Crie uma para chamar a API.',
    saved: (name: string) => `${name} foi salva.`,
    scopesSaved: (name: string) => `Escopos de ${name} salvos.`,
    takenOver: (name: string) => `Agora você responde por ${name}.`,
    revoked: (name: string) => `${name} foi revogada.`,
    listed: (name: string) => `${name} está na lista.`,
  },
});

/** The open dialog. */
type Open =
  | { readonly kind: 'create' }
  | { readonly kind: 'issued'; readonly issued: Schemas['ApiKeyIssued'] }
  | { readonly kind: KeyActionName | 'details'; readonly key: ApiKey };

/** The API keys of the tenant, with the actions available to the signed-in user. */
export function KeysPage() {
  const t = useWords(words);
  const may = useMay();
  const { environment } = useCurrent();
  const queries = useQueryClient();
  const [open, setOpen] = useState<Open | null>(null);
  const begin = useCallback((kind: KeyActionName | 'details', key: ApiKey) => setOpen({ kind, key }), []);
  const show = useCallback((key: ApiKey) => begin('details', key), [begin]);
  const actionsOn = useKeyActions(begin);
  const close = () => setOpen(null);
  const readAgain = () =>
    queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/settings/api-keys').queryKey });
  // The list is reloaded before the dialog closes, so that a key that is opened next is current.
  const changed = async (text: string) => {
    await readAgain();
    close();
    announce(text);
  };
  const stored = ({ apiKey: { name } }: Schemas['ApiKeyIssued']) => {
    close();
    void readAgain().then(() => announce(t.listed(name)));
  };
  const issue = (issued: Schemas['ApiKeyIssued']) => setOpen({ kind: 'issued', issued });

  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        may('createApiKey') && (
          <Button look="primary" onClick={() => setOpen({ kind: 'create' })}>
            {t.create}
          </Button>
        )
      }
    >
      {environment === 'sandbox' && (
        <Notice tone="warning">
          {t.sandboxOn} <Link to="/sandbox">{t.toSandbox}</Link>
        </Notice>
      )}
      <KeyList actionsOn={actionsOn} show={show} />
      {open?.kind === 'create' && <CreateKeyDialog created={issue} onClose={close} />}
      {open?.kind === 'issued' && <IssuedKeyDialog issued={open.issued} onClose={() => stored(open.issued)} />}
      {open?.kind === 'details' && <KeyDetails apiKey={open.key} actions={actionsOn(open.key)} onClose={close} />}
      {open?.kind === 'edit' && (
        <EditKeyDialog apiKey={open.key} changed={(now) => changed(t.saved(now.name))} onClose={close} />
      )}
      {open?.kind === 'scopes' && (
        <ScopesDialog apiKey={open.key} changed={(now) => changed(t.scopesSaved(now.name))} onClose={close} />
      )}
      {open?.kind === 'takeOver' && (
        <TakeOverDialog apiKey={open.key} changed={(now) => changed(t.takenOver(now.name))} onClose={close} />
      )}
      {open?.kind === 'rotate' && <RotateKeyDialog apiKey={open.key} rotated={issue} onClose={close} />}
      {open?.kind === 'revoke' && (
        <RevokeKeyDialog apiKey={open.key} revoked={() => changed(t.revoked(open.key.name))} onClose={close} />
      )}
    </Page>
  );
}

const STATUSES = { used: ['active', 'rotating'], ended: ['expired', 'revoked'] } satisfies Record<
  string,
  Schemas['ApiKeyStatusFilter'][]
>;

function KeyList({
  actionsOn,
  show,
}: {
  readonly actionsOn: ReturnType<typeof useKeyActions>;
  readonly show: (key: ApiKey) => void;
}) {
  const t = useWords(words);
  const { environments } = useKeyWords();
  const { view, environment } = useSearch({ from: '/signed-in/keys' });
  const navigate = useNavigate({ from: '/keys' });
  // One time for all pages of the list, because a cursor is bound to its filter.
  const [unusedSince] = useState(() => new Date(Date.now() - 90 * 86_400_000).toISOString());
  const list = api.useInfiniteQuery(
    'get',
    '/v1/settings/api-keys',
    {
      params: {
        query: {
          limit: 25,
          status: view === 'ended' ? STATUSES.ended : STATUSES.used,
          ...(view === 'unused' && { unusedSince }),
          ...(environment !== undefined && { environment }),
        },
      },
    },
    { initialPageParam: null, getNextPageParam: ({ cursor }) => cursor },
  );
  const filter = (to: KeysSearch) => void navigate({ search: to, replace: true });
  const shown = view ?? 'used';
  return (
    <>
      <Filters clear={view === undefined && environment === undefined ? null : () => filter({})}>
        <SelectFilter
          label={t.view}
          value={shown}
          options={[
            ['used', t.views.used],
            ['unused', t.views.unused],
            ['ended', t.views.ended],
          ]}
          apply={(to) =>
            filter({ ...(to !== 'used' && { view: to }), ...(environment !== undefined && { environment }) })
          }
        />
        <SelectFilter
          label={t.environment}
          value={environment ?? 'all'}
          options={[
            ['all', t.all],
            ['live', environments.live],
            ['test', environments.test],
          ]}
          apply={(to) => filter({ ...(view !== undefined && { view }), ...(to !== 'all' && { environment: to }) })}
        />
      </Filters>
      <Loaded query={list}>
        {({ pages }) => {
          const keys = pages.flatMap(({ items }) => items);
          if (keys.length === 0)
            return <Empty title={t.empty[shown]}>{shown === 'used' && <p>{t.emptyHint}</p>}</Empty>;
          return (
            <>
              <KeysTable keys={keys} actionsOn={actionsOn} show={show} />
              <More pages={list} count={keys.length} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}
