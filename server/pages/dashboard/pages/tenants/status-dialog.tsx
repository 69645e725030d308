/**
 * Suspends, reactivates or closes a tenant. Opened by tenants-page.tsx. A suspension cuts off all its users and
 * programs within seconds.
 */
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { announce } from '../../ui/toasts.tsx';
import { useTenantsChanged } from './create-dialog.tsx';
import { type Reason, REASONS, type Tenant, tenantWords } from './tenant-words.ts';

type Wanted = Schemas['TenantStatusUpdate']['status'];

const words = inLanguages({
  en: {
    suspended: {
      title: (name: string) => `Suspend ${name}?`,
      text: 'Every credential of the tenant is refused within five seconds. Nothing is deleted.',
      action: 'Suspend',
    },
    active: {
      title: (name: string) => `Reactivate ${name}?`,
      text: 'Its credentials work again, as far as they have not ended.',
      action: 'Reactivate',
    },
    asked: {
      title: (name: string) => `Ask to close ${name}?`,
      text: 'A second administrator has to confirm. A closed tenant stays closed.',
      action: 'Ask to close',
    },
    closed: {
      title: (name: string) => `Close ${name}?`,
      text: 'Another administrator asked for it. A closed tenant stays closed.',
      action: 'Close for good',
    },
    reason: 'Reason',
    note: 'Note',
    noteHint: 'Administrators and the audit log see it.',
    is: (name: string, status: string) => `${name}: ${status}.`,
    waits: (name: string) => `A second administrator has to confirm that ${name} is closed.`,
  },
  pt: {
    suspended: {
      title: (name: string) => `Suspender ${name}?`,
      text: 'Cada credencial do inquilino é recusada em cinco segundos. Nada é apagado.',
      action: 'Suspender',
    },
    active: {
      title: (name: string) => `Reativar ${name}?`,
      text: 'Suas credenciais voltam a valer, se não terminaram.',
      action: 'Reativar',
    },
    asked: {
      title: (name: string) => `Pedir o encerramento de ${name}?`,
      text: 'Um segundo administrador precisa confirmar. Um inquilino encerrado fica encerrado.',
      action: 'Pedir o encerramento',
    },
    closed: {
      title: (name: string) => `Encerrar ${name}?`,
      text: 'Outro administrador pediu. Um inquilino encerrado fica encerrado.',
      action: 'Encerrar de vez',
    },
    reason: 'Motivo',
    note: 'Nota',
    noteHint: 'Administradores e a trilha de auditoria a veem.',
    is: (name: string, status: string) => `${name}: ${status}.`,
    waits: (name: string) => `Um segundo administrador precisa confirmar o encerramento de ${name}.`,
  },
});

/** Changes the status of a tenant, with a reason for the audit log. */
export function StatusDialog({
  tenant,
  wanted,
  onClose,
}: {
  readonly tenant: Tenant;
  readonly wanted: Wanted;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const { reasons, statuses } = useWords(tenantWords);
  const changed = useTenantsChanged();
  const { title, text, action } = t[wanted === 'closed' && tenant.closure === null ? 'asked' : wanted];
  const initial: { reasonCode: Reason; note: string } = {
    reasonCode: wanted === 'active' ? 'resolved' : 'security_incident',
    note: '',
  };
  const form = useForm({
    initial,
    submit: async ({ reasonCode, note }) => {
      const now = await answerOf(
        client.PUT('/v1/admin/tenants/{tenantId}/status', {
          params: { path: { tenantId: tenant.id }, header: { 'If-Match': `"${tenant.version}"` } },
          body: { status: wanted, reasonCode, ...(note.trim() !== '' && { note: note.trim() }) },
        }),
      );
      onClose();
      announce(
        wanted === 'closed' && now.status !== 'closed' ? t.waits(tenant.name) : t.is(tenant.name, statuses[now.status]),
      );
      await changed();
    },
  });
  return (
    <Dialog title={title(tenant.name)} onClose={onClose}>
      <p>{text}</p>
      <Form form={form} action={action} danger={wanted !== 'active'} cancel={onClose}>
        <SelectField
          field={form.field('reasonCode')}
          label={t.reason}
          options={REASONS.map((code) => [code, reasons[code] ?? code])}
        />
        <TextField
          field={form.field('note')}
          label={t.note}
          hint={t.noteHint}
          optional
          autoComplete="off"
          maxLength={500}
        />
      </Form>
    </Dialog>
  );
}
