/**
 * Takes the secret of a link from a mail out of the address. Used by the pages of invitations and of new passwords. It
 * must not stay in the address or the history, where others could find it.
 */
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * Returns the secret of a link from a mail (`#token=…`). It is removed from the URL and the history at once and exists
 * on this page only; null if the page was opened or reloaded without it.
 */
export function useMailToken(): string | null {
  const navigate = useNavigate();
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const found = new URLSearchParams(hash).get('token');
  const [token, setToken] = useState(found);
  // The next link may be opened in the same tab.
  if (found !== null && found !== token) setToken(found);
  useEffect(() => {
    if (found !== null) void navigate({ to: '.', hash: '', replace: true });
  }, [found, navigate]);
  return token;
}
