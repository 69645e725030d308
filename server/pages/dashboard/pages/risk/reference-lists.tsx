import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { EditList } from './edit-list.tsx';
import { STATUS_TONES, useRiskNames } from './risk-words.ts';

type List = Schemas['ReferenceList'];

const words = inLanguages({
  en: {
    title: 'Reference lists',
    about: 'Countries, occupations and activities that models refer to. A new list needs no new model.',
    name: 'List',
    values: 'Values',
    version: 'Version',
    source: 'Source',
    draft: 'Draft',
    none: 'None',
    add: 'New list',
  },
  pt: {
    title: 'Listas de referência',
    about: 'Países, ocupações e atividades a que os modelos se referem. Uma lista nova não pede um modelo novo.',
    name: 'Lista',
    values: 'Valores',
    version: 'Versão',
    source: 'Fonte',
    draft: 'Rascunho',
    none: 'Nenhum',
    add: 'Nova lista',
  },
});

/** Lists the reference lists with their active versions and their drafts. */
export function ReferenceLists() {
  const t = useWords(words);
  const may = useMay();
  const [adding, setAdding] = useState(false);
  const lists = api.useQuery('get', '/v1/risk/lists');
  return (
    <Section
      title={t.title}
      actions={
        may('replaceReferenceList') && (
          <Button small onClick={() => setAdding(true)}>
            {t.add}
          </Button>
        )
      }
    >
      <p className="muted">{t.about}</p>
      <Loaded query={lists}>{({ items }) => <ListTable rows={items} />}</Loaded>
      {adding && <EditList list={null} close={() => setAdding(false)} />}
    </Section>
  );
}

function ListTable({ rows }: { readonly rows: readonly List[] }) {
  const t = useWords(words);
  const names = useRiskNames();
  const format = useFormat();
  const columns = useMemo(() => {
    const column = columnsOf<List>();
    return [
      column.display({
        id: 'name',
        header: t.name,
        cell: ({
          row: {
            original: { id, active, draft },
          },
        }) => (
          <Link to="/risk/lists/$listId" params={{ listId: id }}>
            {(active ?? draft)?.label ?? id}
          </Link>
        ),
      }),
      column.display({
        id: 'version',
        header: t.version,
        cell: ({ row: { original } }) => (original.active === null ? t.none : String(original.active.number)),
      }),
      column.display({
        id: 'values',
        header: t.values,
        cell: ({ row: { original } }) =>
          original.active === null ? '–' : format.number(original.active.values.length),
      }),
      column.display({
        id: 'source',
        header: t.source,
        cell: ({ row: { original } }) => original.active?.source ?? '–',
      }),
      column.display({
        id: 'draft',
        header: t.draft,
        cell: ({
          row: {
            original: { draft },
          },
        }) =>
          draft === null ? (
            t.none
          ) : (
            <Badge tone={STATUS_TONES[draft.status]}>
              {names.statuses[draft.status]} · {draft.number}
            </Badge>
          ),
      }),
    ];
  }, [t, names, format]);
  return <DataTable caption={t.title} rows={rows} columns={columns} rowId={({ id }) => id} />;
}
