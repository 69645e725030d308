/** The dialogs that act on a member. Opened by team-page.tsx; the service checks each action again. */
import { client, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf, done } from '../../core/problem.ts';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import '../account/account.css';
import { SessionList } from '../account/session-list.tsx';
import { RoleField, useTeamChanged } from './invite-dialog.tsx';
import { ROLES } from './team-search.ts';
import { calledOf } from './team-words.ts';

type User = Schemas['User'];

export type MemberAction =
  | 'sessions'
  | 'sendAgain'
  | 'revoke'
  | 'role'
  | 'unlock'
  | 'reset'
  | 'deactivate'
  | 'reactivate';

/** An action on a user that waits for confirmation. */
export interface MemberQuestion {
  readonly action: MemberAction;
  readonly user: User;
}

const words = inLanguages({
  en: {
    confirm: {
      sendAgain: [
        'Send the invitation again?',
        'They get a new link, and the old one stops working.',
        'Send again',
        'has a new link',
      ],
      revoke: [
        'Revoke the invitation?',
        'The link in the mail stops working. They can be invited again.',
        'Revoke the invitation',
        'is not invited any more',
      ],
      unlock: [
        'Unlock the account?',
        'Too many failed sign-ins locked it. Make sure that it was them before you open it.',
        'Unlock',
        'is unlocked',
      ],
      deactivate: [
        'Deactivate the account?',
        'They are signed out everywhere and cannot sign in. Their name stays in the history. They can be reactivated.',
        'Deactivate',
        'is deactivated',
      ],
      reactivate: [
        'Reactivate the account?',
        'They can sign in again, with the password and the role they had.',
        'Reactivate',
        'is active again',
      ],
    },
    roleOf: (name: string) => `Role of ${name}`,
    roleLead: 'The change applies at once. Open sessions may have to sign in again.',
    saveRole: 'Save the role',
    roleSaved: (name: string) => `Role of ${name} saved.`,
    resetOf: (name: string) => `Reset the second factor of ${name}?`,
    resetLead: 'For a lost authenticator. They are signed out everywhere, and their recovery codes stop working.',
    reason: 'Reason',
    reasonHint: 'For the audit log: how you know that it is them.',
    enterReason: 'Enter how you know that it is them.',
    example: 'Telephone lost, identity confirmed by video call',
    reset: 'Reset the second factor',
    isReset: (name: string) => `The second factor of ${name} is reset.`,
    sessionsOf: (name: string) => `Sessions of ${name}`,
    endAll: 'End all',
    allEnded: (name: string) => `All sessions of ${name} have ended.`,
  },
  pt: {
    confirm: {
      sendAgain: [
        'Enviar o convite de novo?',
        'A pessoa recebe um novo link, e o antigo deixa de valer.',
        'Enviar de novo',
        'tem um novo link',
      ],
      revoke: [
        'Cancelar o convite?',
        'O link do e-mail deixa de valer. A pessoa pode ser convidada de novo.',
        'Cancelar o convite',
        'não está mais na lista de convites',
      ],
      unlock: [
        'Desbloquear a conta?',
        'Muitas tentativas de acesso a bloquearam. Tenha certeza de que era a própria pessoa antes de abrir.',
        'Desbloquear',
        'está sem bloqueio',
      ],
      deactivate: [
        'Desativar a conta?',
        'A pessoa sai de todos os lugares e não consegue entrar. Seu nome fica no histórico. Pode ser reativada.',
        'Desativar',
        'não tem mais acesso',
      ],
      reactivate: [
        'Reativar a conta?',
        'A pessoa volta a entrar, com a senha e o papel que tinha.',
        'Reativar',
        'tem acesso de novo',
      ],
    },
    roleOf: (name: string) => `Papel de ${name}`,
    roleLead: 'A mudança vale na hora. Sessões abertas talvez precisem entrar de novo.',
    saveRole: 'Salvar o papel',
    roleSaved: (name: string) => `Papel de ${name} salvo.`,
    resetOf: (name: string) => `Redefinir o segundo fator de ${name}?`,
    resetLead:
      'Para um autenticador perdido. A pessoa sai de todos os lugares, e seus códigos de recuperação deixam de valer.',
    reason: 'Motivo',
    reasonHint: 'Para a trilha de auditoria: como você sabe que é a própria pessoa.',
    enterReason: 'Diga como você sabe que é a própria pessoa.',
    example: 'Celular perdido, identidade confirmada por vídeo',
    reset: 'Redefinir o segundo fator',
    isReset: (name: string) => `O segundo fator de ${name} foi redefinido.`,
    sessionsOf: (name: string) => `Sessões de ${name}`,
    endAll: 'Encerrar todas',
    allEnded: (name: string) => `Todas as sessões de ${name} terminaram.`,
  },
});

/** The dialog of an action, until it is confirmed or cancelled. */
export function MemberDialog({
  question: { action, user },
  onClose,
}: {
  readonly question: MemberQuestion;
  readonly onClose: () => void;
}) {
  if (action === 'role') return <RoleDialog user={user} onClose={onClose} />;
  if (action === 'reset') return <ResetDialog user={user} onClose={onClose} />;
  if (action === 'sessions') return <SessionsDialog user={user} onClose={onClose} />;
  return <Confirm action={action} user={user} onClose={onClose} />;
}

interface DialogOf {
  readonly user: User;
  readonly onClose: () => void;
}

function update({ id, version }: User, body: Schemas['UserUpdate']) {
  return done(
    client.PATCH('/v1/users/{userId}', {
      params: { path: { userId: id }, header: { 'If-Match': `"${version}"` } },
      body,
    }),
  );
}

function Confirm({
  action,
  user,
  onClose,
}: DialogOf & { readonly action: Exclude<MemberAction, 'role' | 'reset' | 'sessions'> }) {
  const t = useWords(words);
  const changed = useTeamChanged();
  const keyFor = useIdempotencyKey();
  const [title = '', text, verb = '', outcome] = t.confirm[action];
  const run = async () => {
    if (action === 'sendAgain') {
      const body = { email: user.email, role: ROLES.find((role) => role === user.role) ?? 'viewer' };
      await done(
        client.POST('/v1/users/invitations', {
          params: { header: { 'Idempotency-Key': keyFor({ ...body, version: user.version }) } },
          body,
        }),
      );
    } else if (action === 'revoke') {
      if (user.invitation !== null)
        await done(
          client.DELETE('/v1/users/invitations/{invitationId}', {
            params: { path: { invitationId: user.invitation.id } },
          }),
        );
    } else {
      await update(
        user,
        action === 'unlock' ? { unlock: true } : { status: action === 'deactivate' ? 'deactivated' : 'active' },
      );
    }
    announce(`${calledOf(user)} ${outcome}.`);
    await changed();
  };
  return (
    <ConfirmDialog
      title={title}
      action={verb}
      danger={action === 'revoke' || action === 'deactivate'}
      run={run}
      onClose={onClose}
    >
      <p>
        <strong>{calledOf(user)}</strong>
      </p>
      <p>{text}</p>
    </ConfirmDialog>
  );
}

function RoleDialog({ user, onClose }: DialogOf) {
  const t = useWords(words);
  const changed = useTeamChanged();
  const initial: { role: Schemas['RoleInput'] } = { role: ROLES.find((role) => role === user.role) ?? 'viewer' };
  const form = useForm({
    initial,
    submit: async ({ role }) => {
      if (role !== user.role) await update(user, { role });
      onClose();
      announce(t.roleSaved(calledOf(user)));
      await changed();
    },
  });
  return (
    <Dialog title={t.roleOf(calledOf(user))} onClose={onClose}>
      <p className="muted">{t.roleLead}</p>
      <Form form={form} action={t.saveRole} cancel={onClose} sticky>
        <RoleField field={form.field('role')} />
      </Form>
    </Dialog>
  );
}

function ResetDialog({ user, onClose }: DialogOf) {
  const t = useWords(words);
  const changed = useTeamChanged();
  const form = useForm({
    initial: { reason: '' },
    required: { reason: t.enterReason },
    submit: async ({ reason }) => {
      await answerOf(
        client.POST('/v1/users/{userId}/reset-mfa', {
          params: { path: { userId: user.id } },
          body: { reason: reason.trim() },
        }),
      );
      onClose();
      announce(t.isReset(calledOf(user)));
      await changed();
    },
  });
  return (
    <Dialog title={t.resetOf(calledOf(user))} onClose={onClose}>
      <p>{t.resetLead}</p>
      <Form form={form} action={t.reset} danger cancel={onClose}>
        <TextField
          field={form.field('reason')}
          label={t.reason}
          hint={t.reasonHint}
          placeholder={t.example}
          autoComplete="off"
          maxLength={500}
        />
      </Form>
    </Dialog>
  );
}

function SessionsDialog({ user, onClose }: DialogOf) {
  const t = useWords(words);
  const may = useMay();
  const changed = useTeamChanged();
  const mayEnd = may('revokeUserSessions');
  const form = useForm({
    initial: {},
    submit: async () => {
      await done(client.DELETE('/v1/users/{userId}/sessions', { params: { path: { userId: user.id } } }));
      onClose();
      announce(t.allEnded(calledOf(user)));
      await changed();
    },
  });
  return (
    <Dialog title={t.sessionsOf(calledOf(user))} onClose={onClose}>
      <SessionList userId={user.id} own={false} mayEnd={mayEnd} />
      {mayEnd && (
        <Form form={form} action={t.endAll} danger cancel={onClose}>
          {null}
        </Form>
      )}
    </Dialog>
  );
}
