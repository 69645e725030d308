/**
 * The page `/watch-lists`, on which platform administrators maintain the shared lists. Opened by shell/routes.tsx. A
 * proposed version needs a second administrator, who sends the same file.
 */
import { useMemo, useState } from 'react';
import { api } from '../../core/api.ts';
import { type CurrentUser, useCurrent } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { navigationWords } from '../../core/navigation.ts';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { ListWarnings } from './list-warnings.tsx';
import { type ListQuestion, listWords, type WatchList } from './list-words.ts';
import { ReturnDialog } from './return-dialog.tsx';
import { UploadDialog } from './upload-dialog.tsx';
import './watch-lists.css';

const words = inLanguages({
  en: {
    lead: 'The lists that every tenant is screened against in live mode.',
    list: 'List',
    version: 'Active version',
    entries: 'Entries',
    looked: 'Looked at',
    change: 'Last change',
    never: 'never imported',
    mandatory: 'always searched',
    waits: (by: string, entries: string, removed: string, matchChanged: string) =>
      `${by} proposes a file of ${entries} entries, which lacks ${removed} of the active ones and changes ` +
      `${matchChanged} in what names are compared with. A second administrator has to send it too.`,
    actions: 'Actions',
    actionsOn: (name: string) => `Actions for ${name}`,
    upload: 'Upload a version…',
    confirm: 'Confirm the proposal…',
    return: 'Return the proposal…',
    withdraw: 'Withdraw the proposal…',
  },
  pt: {
    lead: 'As listas com que cada inquilino consulta nomes em produção.',
    list: 'Lista',
    version: 'Versão ativa',
    entries: 'Registros',
    looked: 'Conferida',
    change: 'Última mudança',
    never: 'nunca importada',
    mandatory: 'sempre consultada',
    waits: (by: string, entries: string, removed: string, matchChanged: string) =>
      `${by} propõe um arquivo de ${entries} registros, em que faltam ${removed} dos ativos e ${matchChanged} ` +
      'mudam naquilo com que os nomes são comparados. Um segundo administrador precisa enviá-lo também.',
    actions: 'Ações',
    actionsOn: (name: string) => `Ações para ${name}`,
    upload: 'Enviar uma versão…',
    confirm: 'Confirmar a proposta…',
    return: 'Devolver a proposta…',
    withdraw: 'Retirar a proposta…',
  },
});

/** Number of omitted names that are shown. The answer of the upload has more. */
const FEW = 3;

/** Returns the available actions. The user who proposed a version cannot confirm it. */
function actionsOn({ proposal }: WatchList, { user, permissions }: CurrentUser): readonly ListQuestion['action'][] {
  const isOwn = proposal?.proposedBy.id === user.id;
  const offered: readonly (ListQuestion['action'] | false)[] = [
    permissions.includes('uploadWatchList') && 'upload',
    permissions.includes('uploadWatchList') && proposal !== null && !isOwn && 'confirm',
    permissions.includes('returnWatchListProposal') && proposal !== null && (isOwn ? 'withdraw' : 'return'),
  ];
  return offered.filter((action) => action !== false);
}

/** Shows the watch lists of the platform to its administrators. */
export function WatchListsPage() {
  const t = useWords(words);
  const { pages: titles } = useWords(navigationWords);
  const lists = api.useQuery('get', '/v1/admin/screening-lists');
  const [question, setQuestion] = useState<ListQuestion | null>(null);
  const close = () => setQuestion(null);
  return (
    <Page title={titles['/watch-lists']} lead={t.lead}>
      <Loaded query={lists}>{({ items }) => <ListTable lists={items} ask={setQuestion} />}</Loaded>
      {question?.action === 'upload' && <UploadDialog list={question.list} confirmed={null} onClose={close} />}
      {question?.action === 'confirm' && (
        <UploadDialog list={question.list} confirmed={question.list.proposal} onClose={close} />
      )}
      {(question?.action === 'return' || question?.action === 'withdraw') && (
        <ReturnDialog list={question.list} action={question.action} onClose={close} />
      )}
    </Page>
  );
}

function ListTable({
  lists,
  ask,
}: {
  readonly lists: readonly WatchList[];
  readonly ask: (question: ListQuestion) => void;
}) {
  const t = useWords(words);
  const { pages: titles } = useWords(navigationWords);
  const { changed } = useWords(listWords);
  const format = useFormat();
  const current = useCurrent();
  const columns = useMemo(() => {
    const column = columnsOf<WatchList>();
    return [
      column.display({
        id: 'list',
        header: t.list,
        cell: ({
          row: {
            original: { id, title, mandatory },
          },
        }) => (
          <span className="lists-cell">
            <span>{title}</span>
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
        cell: ({
          row: {
            original: { proposal, ...list },
          },
        }) => (
          <span className="lists-cell">
            <span>{list.version ?? t.never}</span>
            <ListWarnings list={list} />
            {list.quarantine.slice(0, FEW).map(({ entityId, record, name }) => (
              <span key={`${entityId} ${name}`} className="muted">
                {name} ({record})
              </span>
            ))}
            {proposal !== null && (
              <span className="muted">
                {t.waits(
                  proposal.proposedBy.display,
                  format.number(proposal.entryCount),
                  format.number(proposal.change.removed),
                  format.number(proposal.change.matchChanged),
                )}
              </span>
            )}
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
        }) => (entryCount === null ? '–' : <span className="number">{format.number(entryCount)}</span>),
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
            : changed(
                format.number(lastChange.added),
                format.number(lastChange.changed),
                format.number(lastChange.removed),
              ),
      }),
      column.display({
        id: 'actions',
        header: () => <span className="visually-hidden">{t.actions}</span>,
        cell: ({ row: { original: list } }) => (
          <div className="row-menu">
            <Menu
              label={t.actionsOn(list.title)}
              actions={actionsOn(list, current).map((action) => ({
                label: t[action],
                danger: action === 'return' || action === 'withdraw',
                run: () => ask({ action, list }),
              }))}
            />
          </div>
        ),
      }),
    ];
  }, [t, changed, format, current, ask]);
  return <DataTable caption={titles['/watch-lists']} rows={lists} columns={columns} rowId={({ id }) => id} />;
}
