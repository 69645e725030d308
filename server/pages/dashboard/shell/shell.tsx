/**
 * The frame of pages for signed-in users: side bar, environment, menus. Used by routes.tsx. It reads who is signed in
 * and gives that to all pages (core/current.tsx).
 */
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { api } from '../core/api.ts';
import { CurrentProvider, useCurrent } from '../core/current.tsx';
import { inLanguages, useWords } from '../core/language.ts';
import { GROUPS, isSealedFrom, NAVIGATION, navigationWords, openTo } from '../core/navigation.ts';
import { part, useReachability } from '../core/reachability.ts';
import { useRoleName } from '../core/roles.ts';
import { useSession } from '../core/session.ts';
import { Unknown } from './root.tsx';

/** Loaded on demand, because the first page does not need the code that positions menus. */
const AccountMenu = lazy(part(() => import('./account-menu.tsx')));
const CommandPalette = lazy(part(() => import('./command-palette.tsx')));

export const shellWords = inLanguages({
  en: {
    navigation: 'Dashboard',
    menu: 'Menu',
    search: 'Search and go to…',
    sandbox: 'Sandbox',
    live: 'Live',
    environment: 'What new records belong to',
    away: 'The service is not responding. This page retries automatically.',
    outdated: 'Your password does not meet the rules any more.',
    chooseAnother: 'Choose another',
    enrol: (tenant: string) => `${tenant} asks for a second factor. Enrol one first.`,
    closed: (role: string, tenant: string) =>
      `Your role, ${role}, does not include this page. Ask an owner or an administrator of ${tenant}.`,
  },
  pt: {
    navigation: 'Painel',
    menu: 'Menu',
    search: 'Buscar e ir para…',
    sandbox: 'Sandbox',
    live: 'Produção',
    environment: 'A que pertencem os novos registros',
    away: 'O serviço não responde. Esta página tenta de novo sozinha e continua quando ele voltar.',
    outdated: 'Sua senha não atende mais às regras.',
    chooseAnother: 'Escolha outra',
    enrol: (tenant: string) => `${tenant} exige um segundo fator. Cadastre um primeiro.`,
    closed: (role: string, tenant: string) =>
      `Seu papel, ${role}, não inclui esta página. Peça a um proprietário ou administrador de ${tenant}.`,
  },
});

/** Frame of every page for signed-in users. */
export function Shell() {
  const current = api.useQuery('get', '/v1/auth/me');
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <Loaded query={current}>
      {(user) => <CurrentProvider current={user}>{isSealedFrom(user, path) ? <Unknown /> : <Frame />}</CurrentProvider>}
    </Loaded>
  );
}

function Frame() {
  const t = useWords(shellWords);
  const { tenant, environment, user } = useCurrent();
  const [drawer, setDrawer] = useState(false);
  const [palette, setPalette] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setPalette((shown) => !shown);
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);

  return (
    <div className="shell">
      <header className="top-bar">
        <button type="button" className="icon-button drawer-button" aria-label={t.menu} onClick={() => setDrawer(true)}>
          <MenuIcon aria-hidden size={22} />
        </button>
        <p className="tenant">
          <strong>{tenant.name}</strong>
          {user.role !== 'platform_admin' && (
            <span title={t.environment}>
              <Badge tone={environment === 'sandbox' ? 'warning' : 'info'}>
                {environment === 'sandbox' ? t.sandbox : t.live}
              </Badge>
            </span>
          )}
        </p>
        <Button small onClick={() => setPalette(true)}>
          <Search aria-hidden size={16} />
          <span className="search-words">{t.search}</span>
          <kbd>Ctrl K</kbd>
        </Button>
        <Suspense fallback={<span className="icon-button" />}>
          <AccountMenu />
        </Suspense>
      </header>
      <aside className="side-bar">
        <Navigation />
      </aside>
      {drawer && (
        <Dialog title={t.menu} side="left" onClose={() => setDrawer(false)}>
          <Navigation onNavigate={() => setDrawer(false)} />
        </Dialog>
      )}
      {palette && (
        <Suspense>
          <CommandPalette close={() => setPalette(false)} />
        </Suspense>
      )}
      <main id="main" tabIndex={-1} className="content">
        <Notices />
        <OpenPage />
      </main>
    </div>
  );
}

function Navigation({ onNavigate }: { readonly onNavigate?: () => void }) {
  const t = useWords(navigationWords);
  const { navigation } = useWords(shellWords);
  const pages = openTo(useCurrent());
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // Of two entries of which one is below the other, only the nearer one is marked as the open page.
  const isAboveOther = (to: string) =>
    pages.some((page) => page.to.startsWith(`${to}/`) && (path === page.to || path.startsWith(`${page.to}/`)));
  return (
    <nav aria-label={navigation} className="navigation">
      {GROUPS.map((group) => {
        const entries = pages.filter((entry) => entry.group === group);
        return (
          entries.length > 0 && (
            <div key={group} role="group" aria-label={t.groups[group]}>
              <p className="group-name" aria-hidden="true">
                {t.groups[group]}
              </p>
              <ul>
                {entries.map(({ to, icon: Icon }) => (
                  <li key={to}>
                    <Link to={to} onClick={onNavigate} activeOptions={{ exact: isAboveOther(to) }}>
                      <Icon aria-hidden size={18} />
                      {t.pages[to]}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          )
        );
      })}
    </nav>
  );
}

function Notices() {
  const t = useWords(shellWords);
  const session = useSession();
  const reachable = useReachability();
  return (
    <div className="notices">
      {!reachable && (
        <Notice tone="warning" role="alert">
          {t.away}
        </Notice>
      )}
      {session.status === 'signed-in' && session.passwordOutdated && (
        <Notice tone="warning">
          {t.outdated} <Link to="/account">{t.chooseAnother}</Link>
        </Notice>
      )}
    </div>
  );
}

/** Shows the page of the path, or why it is not open to this role. */
function OpenPage() {
  const t = useWords(shellWords);
  const current = useCurrent();
  const { pages } = useWords(navigationWords);
  const roleName = useRoleName();
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const open = openTo(current).some(({ to }) => path === to || path.startsWith(`${to}/`));
  const mustEnrol = current.mfaEnrolmentRequired && !open;
  useEffect(() => {
    if (mustEnrol) void navigate({ to: '/account', replace: true });
  }, [mustEnrol, navigate]);
  if (open)
    return (
      <>
        {current.mfaEnrolmentRequired && <Notice>{t.enrol(current.tenant.name)}</Notice>}
        <Outlet />
      </>
    );
  const closed = NAVIGATION.find(({ to }) => path === to || path.startsWith(`${to}/`));
  return (
    <Page title={closed === undefined ? t.navigation : pages[closed.to]}>
      <Notice>{t.closed(roleName(current.user.role), current.tenant.name)}</Notice>
    </Page>
  );
}
