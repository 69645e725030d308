/** Loads further pages of a list. Used at the end of all long lists. */
import { useEffect, useRef } from 'react';
import { inLanguages, useWords } from '../core/language.ts';
import { Button } from './button.tsx';
import { Failure } from './notice.tsx';

const words = inLanguages({
  en: { more: 'Show more', loading: 'Loading more…', all: (count: number) => `That is all: ${count}.` },
  pt: { more: 'Mostrar mais', loading: 'Carregando mais…', all: (count: number) => `É tudo: ${count}.` },
});

/** The used part of an infinite TanStack Query result. */
export interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly error: unknown;
  readonly fetchNextPage: () => unknown;
}

/** Loads the next page near the end of the list, and by a button, for the keyboard. */
export function More({ pages, count }: { readonly pages: Pages; readonly count: number }) {
  const t = useWords(words);
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  useEffect(() => {
    if (end.current === null || !hasNextPage || isFetchingNextPage || isFetchNextPageError) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) void fetchNextPage();
      },
      { rootMargin: '800px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, count]);

  if (isFetchNextPageError) return <Failure error={pages.error} retry={() => void fetchNextPage()} />;
  return (
    <div ref={end} className="more">
      {hasNextPage ? (
        <Button small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? t.loading : t.more}
        </Button>
      ) : (
        <p className="muted">{t.all(count)}</p>
      )}
    </div>
  );
}
