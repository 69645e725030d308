import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * The secret of a link from a mail (`#token=…`). It is taken out of the address and of the history at once and lives in this
 * page only; null when the page was opened, or loaded again, without it.
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
