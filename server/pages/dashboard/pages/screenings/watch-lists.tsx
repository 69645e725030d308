/**
 * The lists that the tenant is screened against. Part of screenings-page.tsx. Platform administrators maintain the
 * shared ones on `/watch-lists`.
 */
import { useMemo } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { ListWarnings } from '../watch-lists/list-warnings.tsx';
import { OwnList } from './own-list.tsx';

type List = Schemas['ScreeningList'];
const OWN_LIST = 'own';

const words = inLanguages({
  en: {
    title: 'Watch lists',
    list: 'List',
    version: 'Version',
    entries: 'Entries',
    looked: 'Looked at',
    change: 'Last change',
    never: 'never imported',
    mandatory: 'always searched',
    own: 'Own list',
    changed: (added: string, changed: string, removed: string) => `${added} new, ${changed} changed, ${removed} gone`,
  },
  pt: {
    title: 'Listas',
    list: 'Lista',
    version: 'Versão',
    entries: 'Registros',
    looked: 'Conferida',
    change: 'Última mudança',
    never: 'nunca importada',
    mandatory: 'sempre consultada',
    own: 'Lista própria',
    changed: (added: string, changed: string, removed: string) =>
      `${added} novos, ${changed} alterados, ${removed} retirados`,
  },
});

/** Shows the lists, the age of each, and the changes of its last version. */
export function WatchLists() {
  const t = useWords(words);
  const format = useFormat();
  const lists = api.useQuery('get', '/v1/screenings/lists');
  const columns = useMemo(() => {
    const column = columnsOf<List>();
    return [
      column.display({
        id: 'list',
        header: t.list,
        cell: ({
          row: {
            original: { id, title, mandatory },
          },
        }) => (
          <span className="listed">
            <span>{id === OWN_LIST ? t.own : title}</span>
            <span className="muted">
              {id}
              {mandatory && ` · ${t.mandatory}`}
            </span>
          </span>
        ),
      }),
      column.display({
        id: 'version',
        header: t.version,
        cell: ({ row: { original: list } }) => (
          <span className="listed">
            <span className="version">{list.version ?? t.never}</span>
            <ListWarnings list={list} />
          </span>
        ),
      }),
      column.display({
        id: 'entries',
        header: t.entries,
        cell: ({
          row: {
            original: { entryCount },
          },
        }) => (entryCount === null ? '–' : format.number(entryCount)),
      }),
      column.display({
        id: 'looked',
        header: t.looked,
        cell: ({
          row: {
            original: { checkedAt },
          },
        }) =>
          checkedAt === null ? (
            '–'
          ) : (
            <time dateTime={checkedAt} title={format.dateTime(checkedAt)}>
              {format.relative(checkedAt)}
            </time>
          ),
      }),
      column.display({
        id: 'change',
        header: t.change,
        cell: ({
          row: {
            original: { lastChange },
          },
        }) =>
          lastChange === null
            ? '–'
            : t.changed(
                format.number(lastChange.added),
                format.number(lastChange.changed),
                format.number(lastChange.removed),
              ),
      }),
    ];
  }, [t, format]);
  return (
    <Section title={t.title}>
      <Loaded query={lists}>
        {({ items }) => (
          <div className="stack">
            <DataTable caption={t.title} rows={items} columns={columns} rowId={({ id }) => id} />
            <OwnList exists={items.some(({ id }) => id === OWN_LIST)} />
          </div>
        )}
      </Loaded>
    </Section>
  );
}
