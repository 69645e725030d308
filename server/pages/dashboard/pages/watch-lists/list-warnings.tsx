/**
 * Warnings about the version of a list. Used by this folder's page and by the list of lists of a tenant
 * (screenings/watch-lists.tsx).
 */
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { useFormat } from '../../ui/format.ts';

const words = inLanguages({
  en: {
    stale: 'out of date',
    old: (day: string) => `published ${day}: longer ago than usual`,
    names: (count: number, shown: string) =>
      count === 1 ? 'one damaged name left out' : `${shown} damaged names left out`,
  },
  pt: {
    stale: 'desatualizada',
    old: (day: string) => `publicada em ${day}: há mais tempo que o comum`,
    names: (count: number, shown: string) =>
      count === 1 ? 'um nome danificado ficou de fora' : `${shown} nomes danificados ficaram de fora`,
  },
});

/** Warns about the active version of a list. */
export function ListWarnings({
  list: { version, publishedOn, isStale, isPublicationOld, quarantinedNames },
}: {
  readonly list: Schemas['ScreeningList'];
}) {
  const t = useWords(words);
  const format = useFormat();
  if (version === null) return null;
  const names = quarantinedNames ?? 0;
  return (
    <>
      {isStale && (
        <span>
          <Badge tone="warning">{t.stale}</Badge>
        </span>
      )}
      {isPublicationOld && publishedOn !== null && (
        <span>
          <Badge tone="warning">{t.old(format.day(publishedOn))}</Badge>
        </span>
      )}
      {names > 0 && (
        <span>
          <Badge tone="warning">{t.names(names, format.number(names))}</Badge>
        </span>
      )}
    </>
  );
}
