/** Shows a list that is read page by page. Used by all pages with such a list. */
import type { ReactNode } from 'react';
import { Loaded, type QueryState } from './loaded.tsx';
import { More, type Pages } from './more.tsx';

/** Shows the rows that have been read, with the way to further ones, or `empty` if there are none. */
export function LoadedList({
  pages,
  count,
  empty,
  children,
}: {
  readonly pages: QueryState<unknown> & Pages & { readonly isPlaceholderData: boolean };
  readonly count: number;
  readonly empty: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Loaded query={pages}>
      {() =>
        count === 0 ? (
          empty
        ) : (
          <div className="stack" aria-busy={pages.isPlaceholderData}>
            {children}
            <More pages={pages} count={count} />
          </div>
        )
      }
    </Loaded>
  );
}
