/** Notices, failed reads and empty lists. Used by all pages. A refused action is shown by problems.tsx instead. */
import type { ReactNode } from 'react';
import { explain } from '../core/problem.ts';
import { inLanguages, useWords } from '../core/language.ts';
import { Button } from './button.tsx';

export function Notice({
  tone = 'info',
  role,
  children,
}: {
  readonly tone?: 'info' | 'good' | 'warning' | 'error';
  readonly role?: 'alert' | 'status';
  readonly children: ReactNode;
}) {
  return (
    <div className={`notice ${tone}`} role={role}>
      {children}
    </div>
  );
}

const words = inLanguages({ en: { again: 'Try again' }, pt: { again: 'Tentar de novo' } });

/** Explains why data could not be loaded, and offers a retry. A refused action is shown by `Problems`. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const t = useWords(words);
  return (
    <div className="stack">
      <Notice tone="error" role="alert">
        {explain(error)}
      </Notice>
      {retry !== undefined && (
        <p>
          <Button small onClick={retry}>
            {t.again}
          </Button>
        </p>
      )}
    </div>
  );
}

/** Shown for an empty list, with what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}
