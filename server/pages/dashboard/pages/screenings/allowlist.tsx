/**
 * Hits that were found to be somebody else and are not reported again. Part of screenings-page.tsx. Whoever removes an
 * entry opens the hits again that it has dismissed.
 */
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api, client, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { done } from '../../core/problem.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { More } from '../../ui/more.tsx';
import { Section } from '../../ui/page.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { announce } from '../../ui/toasts.tsx';

type Entry = Schemas['AllowlistEntry'];

const words = inLanguages({
  en: {
    title: 'Allow-list',
    none: 'No entity of a list is dismissed for anybody.',
    entity: 'Entity',
    status: 'Status',
    until: 'Until',
    by: 'By',
    from: 'Decided about',
    hit: 'the hit',
    actions: 'Actions',
    revoke: 'Revoke',
    revokeTitle: 'Revoke the entry',
    text: 'The hits that it has dismissed are open again. Decisions stay.',
    revoked: 'The entry is revoked.',
    statuses: {
      active: 'Active',
      suspended: 'Suspended: the list says something else now',
      revoked: 'Revoked',
      expired: 'Expired',
    } satisfies Record<Entry['status'], string>,
  },
  pt: {
    title: 'Lista de exceções',
    none: 'Nenhum registro de lista está dispensado para ninguém.',
    entity: 'Registro',
    status: 'Situação',
    until: 'Até',
    by: 'Por',
    from: 'Decidida sobre',
    hit: 'a ocorrência',
    actions: 'Ações',
    revoke: 'Revogar',
    revokeTitle: 'Revogar a exceção',
    text: 'As ocorrências que ela dispensou voltam a ficar abertas. As decisões permanecem.',
    revoked: 'A exceção foi revogada.',
    statuses: {
      active: 'Ativa',
      suspended: 'Suspensa: a lista agora diz outra coisa',
      revoked: 'Revogada',
      expired: 'Vencida',
    } satisfies Record<Entry['status'], string>,
  },
});

const TONES: Readonly<Record<Entry['status'], Tone>> = {
  active: 'good',
  suspended: 'warning',
  revoked: 'neutral',
  expired: 'neutral',
};

/**
 * Lists the hits that a compliance officer has found to be another person, for every application with the same tax
 * number.
 */
export function Allowlist() {
  const t = useWords(words);
  const [revoking, setRevoking] = useState<Entry | null>(null);
  const queries = useQueryClient();
  const pages = api.useInfiniteQuery(
    'get',
    '/v1/screenings/allowlist',
    { params: { query: { limit: 20 } } },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['AllowlistEntryList']) => page.cursor,
    },
  );
  const rows = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  const revoke = async ({ id }: Entry) => {
    await done(
      client.DELETE('/v1/screenings/allowlist/{allowlistEntryId}', {
        params: { path: { allowlistEntryId: id }, query: { reason: 'new_information' } },
      }),
    );
    await queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/screenings/allowlist').queryKey });
    announce(t.revoked);
  };
  return (
    <Section title={t.title}>
      <Loaded query={pages}>
        {() =>
          rows.length === 0 ? (
            <p className="muted">{t.none}</p>
          ) : (
            <div className="stack">
              <EntryTable rows={rows} revoke={setRevoking} />
              {pages.hasNextPage && <More pages={pages} count={rows.length} />}
            </div>
          )
        }
      </Loaded>
      {revoking !== null && (
        <ConfirmDialog
          title={t.revokeTitle}
          action={t.revoke}
          danger
          run={() => revoke(revoking)}
          onClose={() => setRevoking(null)}
        >
          <p>{t.text}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function EntryTable({ rows, revoke }: { readonly rows: readonly Entry[]; readonly revoke: (entry: Entry) => void }) {
  const t = useWords(words);
  const format = useFormat();
  const mayRevoke = useMay()('revokeAllowlistEntry');
  const columns = useMemo(() => {
    const column = columnsOf<Entry>();
    const data = [
      column.display({
        id: 'entity',
        header: t.entity,
        cell: ({
          row: {
            original: { entityId, listId },
          },
        }) => (
          <span className="listed">
            <span className="version">{entityId}</span>
            <span className="muted">{listId}</span>
          </span>
        ),
      }),
      column.display({
        id: 'status',
        header: t.status,
        cell: ({
          row: {
            original: { status },
          },
        }) => <Badge tone={TONES[status]}>{t.statuses[status]}</Badge>,
      }),
      column.display({
        id: 'until',
        header: t.until,
        cell: ({
          row: {
            original: { expiresAt },
          },
        }) => format.day(expiresAt),
      }),
      column.display({ id: 'by', header: t.by, cell: ({ row: { original } }) => original.createdBy.display }),
      column.display({
        id: 'from',
        header: t.from,
        cell: ({
          row: {
            original: { screeningId, hitId },
          },
        }) => (
          <Link to="/screenings/$screeningId" params={{ screeningId }} hash={hitId}>
            {t.hit}
          </Link>
        ),
      }),
    ];
    if (!mayRevoke) return data;
    return [
      ...data,
      column.display({
        id: 'actions',
        header: () => <span className="visually-hidden">{t.actions}</span>,
        cell: ({ row: { original } }) =>
          original.status === 'active' && (
            <Button small look="quiet-danger" onClick={() => revoke(original)}>
              {t.revoke}
            </Button>
          ),
      }),
    ];
  }, [t, format, mayRevoke, revoke]);
  return <DataTable caption={t.title} rows={rows} columns={columns} rowId={({ id }) => id} />;
}
