/**
 * The frame around everything, which also decides between the page and the sign-in. Used by routes.tsx. It shows pages
 * that failed, do not exist, or cannot reach the service.
 */
import { Link, Outlet, useMatches } from '@tanstack/react-router';
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx';
import { Loading } from '../ui/loaded.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { Button } from '../ui/button.tsx';
import { inLanguages, useWords } from '../core/language.ts';
import { startSession, useSession } from '../core/session.ts';
import { StepUpDialog } from './step-up-dialog.tsx';

const words = inLanguages({
  en: {
    skip: 'Skip to the content',
    unknown: 'There is no such page',
    begin: 'To the beginning',
    crash: 'This page has failed',
    crashed: 'Load it again. If it fails again, tell the people who run this installation what you were doing.',
    reload: 'Load again',
    away: 'The service is not responding.',
    again: 'Try again',
  },
  pt: {
    skip: 'Ir para o conteúdo',
    unknown: 'Esta página não existe',
    begin: 'Para o começo',
    crash: 'Esta página falhou',
    crashed: 'Carregue de novo. Se falhar outra vez, conte a quem cuida desta instalação o que você estava fazendo.',
    reload: 'Carregar de novo',
    away: 'O serviço não responde.',
    again: 'Tentar de novo',
  },
});

/** Frame of every page, including pages for people who are not signed in. */
export function Root() {
  const t = useWords(words);
  return (
    <>
      <a className="skip" href="#main">
        {t.skip}
      </a>
      <Inside />
      <StepUpDialog />
      <Toasts />
    </>
  );
}

/** Shows the sign-in at the requested path if the user is not signed in. */
function Inside() {
  const t = useWords(words);
  const session = useSession();
  const needsSession = useMatches({
    select: (matches) => matches.some(({ routeId }) => routeId === '/signed-in' || routeId === '/camera'),
  });
  if (!needsSession || session.status === 'signed-in') return <Outlet />;
  if (session.status === 'starting') return <Loading />;
  if (session.status === 'away') {
    return (
      <main id="main" className="outside">
        <Notice tone="warning" role="alert">
          {t.away}{' '}
          <Button small onClick={() => void startSession()}>
            {t.again}
          </Button>
        </Notice>
      </main>
    );
  }
  return <SignInPage />;
}

export function Unknown() {
  const t = useWords(words);
  return (
    <main id="main" className="outside">
      <Page title={t.unknown}>
        <p>
          <Link to="/sign-in">{t.begin}</Link>
        </p>
      </Page>
    </main>
  );
}

export function Crash() {
  const t = useWords(words);
  return (
    <main id="main" className="outside">
      <Page title={t.crash}>
        <p>{t.crashed}</p>
        <p>
          <Button onClick={() => location.reload()}>{t.reload}</Button>
        </p>
      </Page>
    </main>
  );
}
