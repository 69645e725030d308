/** The page `/team`: the people of the tenant and open invitations. Opened by shell/routes.tsx. */
import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { navigationWords } from '../../core/navigation.ts';
import { useRoleName } from '../../core/roles.ts';
import { oneOf } from '../../core/search.ts';
import { Button } from '../../ui/button.tsx';
import { Filters, SelectFilter, TextFilter } from '../../ui/filters.tsx';
import { LoadedList } from '../../ui/loaded-list.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MemberDialog, type MemberQuestion } from './member-dialogs.tsx';
import { MemberTable } from './member-table.tsx';
import { FACTORS, isFiltered, ROLES, SORTS, STATUSES, type TeamSearch } from './team-search.ts';
import { teamWords } from './team-words.ts';
import './team.css';

const words = inLanguages({
  en: {
    lead: 'Who works here, with which role, and how their account is protected.',
    invite: 'Invite somebody',
    q: 'Name or e-mail',
    anyRole: 'Any role',
    status: 'Status',
    anyStatus: 'Any status',
    factor: 'Second factor',
    anyFactor: 'With or without',
    on: 'With',
    off: 'Without',
    order: 'Order',
    byName: 'By name',
    newest: 'Newest first',
    lastSeen: 'Last sign-in first',
    nothing: 'Nobody fits',
    loosen: 'Change or clear the filters to see more of the team.',
  },
  pt: {
    lead: 'Quem trabalha aqui, com que papel, e como sua conta está protegida.',
    invite: 'Convidar alguém',
    q: 'Nome ou e-mail',
    anyRole: 'Qualquer papel',
    status: 'Situação',
    anyStatus: 'Qualquer situação',
    factor: 'Segundo fator',
    anyFactor: 'Com ou sem',
    on: 'Com',
    off: 'Sem',
    order: 'Ordem',
    byName: 'Por nome',
    newest: 'Mais novos primeiro',
    lastSeen: 'Último acesso primeiro',
    nothing: 'Ninguém corresponde',
    loosen: 'Mude ou limpe os filtros para ver mais da equipe.',
  },
});

/** Shows the people of the tenant and the open invitations. */
export function TeamPage() {
  const t = useWords(words);
  const { pages: titles } = useWords(navigationWords);
  const may = useMay();
  const search = useSearch({ from: '/signed-in/team' });
  const [inviting, setInviting] = useState(false);
  const [question, setQuestion] = useState<MemberQuestion | null>(null);
  const { q, role, status, factor, sort = 'name' } = search;
  const users = api.useInfiniteQuery(
    'get',
    '/v1/users',
    {
      params: {
        query: {
          limit: 50,
          sort,
          ...(q !== undefined && { q }),
          ...(role !== undefined && { role: [role] }),
          ...(status !== undefined && { status: [status] }),
          ...(factor !== undefined && { mfaEnabled: factor === 'on' }),
        },
      },
    },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['UserList']) => page.cursor,
      placeholderData: keepPreviousData,
    },
  );
  const shown = useMemo(() => users.data?.pages.flatMap(({ items }) => items) ?? [], [users.data]);

  return (
    <Page
      title={titles['/team']}
      lead={t.lead}
      actions={
        may('createInvitation') && (
          <Button look="primary" onClick={() => setInviting(true)}>
            {t.invite}
          </Button>
        )
      }
    >
      <TeamFilters search={search} />
      <LoadedList
        pages={users}
        count={shown.length}
        empty={
          <Empty title={t.nothing}>
            <p>{t.loosen}</p>
          </Empty>
        }
      >
        <MemberTable users={shown} ask={setQuestion} />
      </LoadedList>
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
      {question !== null && <MemberDialog question={question} onClose={() => setQuestion(null)} />}
    </Page>
  );
}

const ANY = '';

function TeamFilters({ search }: { readonly search: TeamSearch }) {
  const t = useWords(words);
  const { statuses, role } = useWords(teamWords);
  const roleName = useRoleName();
  const navigate = useNavigate({ from: '/team' });
  const apply = (changed: Partial<TeamSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false });
  return (
    <Filters
      rareInUse={search.factor !== undefined}
      rare={
        <SelectFilter
          label={t.factor}
          value={search.factor ?? ANY}
          apply={(value) => apply({ factor: oneOf(FACTORS, value) })}
          options={[
            [ANY, t.anyFactor],
            ['on', t.on],
            ['off', t.off],
          ]}
        />
      }
      clear={
        isFiltered(search)
          ? () => void navigate({ search: ({ sort }) => ({ sort }), replace: true, resetScroll: false })
          : null
      }
    >
      <TextFilter label={t.q} value={search.q ?? ''} apply={(q) => apply({ q: q === '' ? undefined : q })} />
      <SelectFilter
        label={role}
        value={search.role ?? ANY}
        apply={(value) => apply({ role: oneOf(ROLES, value) })}
        options={[[ANY, t.anyRole], ...ROLES.map((value) => [value, roleName(value)] as const)]}
      />
      <SelectFilter
        label={t.status}
        value={search.status ?? ANY}
        apply={(value) => apply({ status: oneOf(STATUSES, value) })}
        options={[[ANY, t.anyStatus], ...STATUSES.map((value) => [value, statuses[value]] as const)]}
      />
      <SelectFilter
        label={t.order}
        value={search.sort ?? ANY}
        apply={(value) => apply({ sort: oneOf(SORTS, value) })}
        options={[
          [ANY, t.byName],
          ['-createdAt', t.newest],
          ['-lastLoginAt', t.lastSeen],
        ]}
      />
    </Filters>
  );
}
