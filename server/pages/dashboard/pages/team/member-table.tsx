/**
 * The table of members. Used by team-page.tsx. It offers only actions that the user may take; the service checks them
 * again.
 */
import { useMemo } from 'react';
import type { Schemas } from '../../core/api.ts';
import { type CurrentUser, useCurrent } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import type { OperationId } from '../../core/operation-id.ts';
import { useRoleName } from '../../core/roles.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { useFormat } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import type { MemberAction, MemberQuestion } from './member-dialogs.tsx';
import { calledOf, teamWords } from './team-words.ts';

type User = Schemas['User'];

const words = inLanguages({
  en: {
    people: 'People of the team',
    person: 'Person',
    status: 'Status',
    factor: 'Second factor',
    lastLogin: 'Last sign-in',
    actions: 'Actions',
    you: 'you',
    on: 'On',
    off: 'Off',
    never: 'Never',
    sessions: (count: number) => (count === 1 ? '1 open session' : `${count} open sessions`),
    invitedBy: (by: string, until: string) => `by ${by}, until ${until}`,
    actionsOn: (name: string) => `Actions for ${name}`,
    does: {
      sessions: 'Sessions…',
      sendAgain: 'Send the invitation again…',
      revoke: 'Revoke the invitation…',
      role: 'Change the role…',
      unlock: 'Unlock…',
      reset: 'Reset the second factor…',
      deactivate: 'Deactivate…',
      reactivate: 'Reactivate…',
    } satisfies Record<MemberAction, string>,
  },
  pt: {
    people: 'Pessoas da equipe',
    person: 'Pessoa',
    status: 'Situação',
    factor: 'Segundo fator',
    lastLogin: 'Último acesso',
    actions: 'Ações',
    you: 'você',
    on: 'Ativo',
    off: 'Inativo',
    never: 'Nunca',
    sessions: (count: number) => (count === 1 ? '1 sessão aberta' : `${count} sessões abertas`),
    invitedBy: (by: string, until: string) => `por ${by}, até ${until}`,
    actionsOn: (name: string) => `Ações para ${name}`,
    does: {
      sessions: 'Sessões…',
      sendAgain: 'Enviar o convite de novo…',
      revoke: 'Cancelar o convite…',
      role: 'Mudar o papel…',
      unlock: 'Desbloquear…',
      reset: 'Redefinir o segundo fator…',
      deactivate: 'Desativar…',
      reactivate: 'Reativar…',
    } satisfies Record<MemberAction, string>,
  },
});

const TONES: Readonly<Record<Schemas['UserStatus'], Tone>> = {
  active: 'good',
  invited: 'info',
  locked: 'danger',
  deactivated: 'neutral',
};
const DANGEROUS: readonly MemberAction[] = ['revoke', 'reset', 'deactivate'];

/**
 * Returns the actions of the signed-in user on a member. Users cannot change their own role, status or second factor
 * here, and only owners change owners.
 */
function actionsOn(user: User, { user: own, permissions }: CurrentUser): readonly MemberAction[] {
  const may = (operation: OperationId) => permissions.includes(operation);
  const offered = (...actions: readonly (MemberAction | false)[]): readonly MemberAction[] =>
    actions.filter((action) => action !== false);
  const sessions = may('listUserSessions') && user.activeSessions > 0 && 'sessions';
  const isAbove = user.role === 'owner' && own.role !== 'owner';
  if (isAbove || user.id === own.id) return offered(sessions);
  const update = may('updateUser');
  if (user.status === 'invited')
    return offered(may('createInvitation') && 'sendAgain', update && 'role', may('revokeInvitation') && 'revoke');
  if (user.status === 'deactivated') return offered(update && 'reactivate');
  return offered(
    update && user.status === 'locked' && 'unlock',
    update && 'role',
    sessions,
    may('resetUserMfa') && user.mfaEnabled && 'reset',
    update && 'deactivate',
  );
}

function RoleName({ role }: Pick<User, 'role'>) {
  return useRoleName()(role);
}

export function MemberTable({
  users,
  ask,
}: {
  readonly users: readonly User[];
  readonly ask: (question: MemberQuestion) => void;
}) {
  const t = useWords(words);
  const { statuses, role } = useWords(teamWords);
  const format = useFormat();
  const current = useCurrent();
  const hasActions = users.some((user) => actionsOn(user, current).length > 0);
  // The columns must stay the same between renders: a menu in a cell of new columns would close.
  const columns = useMemo(() => {
    const column = columnsOf<User>();
    const data = [
      column.display({
        id: 'person',
        header: t.person,
        cell: ({ row: { original: user } }) => (
          <span className="team-person">
            <span>
              <span>{calledOf(user)}</span>
              {user.id === current.user.id && <span className="muted"> ({t.you})</span>}
            </span>
            {user.name !== '' && <span className="muted">{user.email}</span>}
          </span>
        ),
      }),
      column.display({ id: 'role', header: role, cell: ({ row: { original } }) => <RoleName role={original.role} /> }),
      column.display({
        id: 'status',
        header: t.status,
        cell: ({
          row: {
            original: { status, invitation },
          },
        }) => (
          <span className="team-person">
            <span>
              <Badge tone={TONES[status]}>{statuses[status]}</Badge>
            </span>
            {invitation !== null && (
              <span className="muted">
                {t.invitedBy(invitation.invitedBy.display, format.day(invitation.expiresAt))}
              </span>
            )}
          </span>
        ),
      }),
      column.display({
        id: 'factor',
        header: t.factor,
        cell: ({ row: { original } }) => (
          <span>
            <Badge tone={original.mfaEnabled ? 'good' : 'neutral'}>{original.mfaEnabled ? t.on : t.off}</Badge>
          </span>
        ),
      }),
      column.display({
        id: 'lastLogin',
        header: t.lastLogin,
        cell: ({
          row: {
            original: { lastLoginAt, activeSessions },
          },
        }) => (
          <span className="team-person">
            <span>
              {lastLoginAt === null ? (
                t.never
              ) : (
                <time dateTime={lastLoginAt} title={format.dateTime(lastLoginAt)}>
                  {format.relative(lastLoginAt)}
                </time>
              )}
            </span>
            {activeSessions > 0 && <span className="muted">{t.sessions(activeSessions)}</span>}
          </span>
        ),
      }),
    ];
    if (!hasActions) return data;
    return [
      ...data,
      column.display({
        id: 'actions',
        header: () => <span className="visually-hidden">{t.actions}</span>,
        cell: ({ row: { original: user } }) => {
          const actions = actionsOn(user, current);
          return (
            actions.length > 0 && (
              <div className="row-menu">
                <Menu
                  label={t.actionsOn(calledOf(user))}
                  actions={actions.map((action) => ({
                    label: t.does[action],
                    danger: DANGEROUS.includes(action),
                    run: () => ask({ action, user }),
                  }))}
                />
              </div>
            )
          );
        },
      }),
    ];
  }, [t, statuses, role, format, current, hasActions, ask]);
  return <DataTable caption={t.people} rows={users} columns={columns} rowId={({ id }) => id} />;
}
