/**
 * Changes name, plan and quotas of a tenant. Opened by tenants-page.tsx. A change that somebody else made meanwhile
 * makes the service refuse.
 */
import { useState } from 'react';
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { codeOf, done } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { announce } from '../../ui/toasts.tsx';
import { useTenantsChanged } from './create-dialog.tsx';
import { type Tenant, tenantWords } from './tenant-words.ts';

type Quota = keyof Schemas['TenantQuotas'];

const QUOTAS = [
  'users',
  'apiKeys',
  'applicationsPerMonth',
  'screeningsPerDay',
  'storageGb',
  'ratePerMinute',
] as const satisfies readonly Quota[];

const words = inLanguages({
  en: {
    title: (name: string) => `Plan and quotas of ${name}`,
    force: 'Set it anyway',
    forceHint: 'What exists above the quota stays',
    save: 'Save',
    saved: (name: string) => `${name} is saved.`,
    enterName: 'Enter the name of the tenant.',
    enterPlan: 'Enter the plan.',
    enterNumber: 'Enter a number.',
    quotas: {
      users: 'Users',
      apiKeys: 'API keys',
      applicationsPerMonth: 'Applications a month',
      screeningsPerDay: 'Screenings a day',
      storageGb: 'Storage, GiB',
      ratePerMinute: 'Requests a minute',
    } satisfies Record<Quota, string>,
  },
  pt: {
    title: (name: string) => `Plano e cotas de ${name}`,
    force: 'Definir mesmo assim',
    forceHint: 'O que já existe acima da cota fica',
    save: 'Salvar',
    saved: (name: string) => `${name} foi salvo.`,
    enterName: 'Digite o nome do inquilino.',
    enterPlan: 'Digite o plano.',
    enterNumber: 'Digite um número.',
    quotas: {
      users: 'Usuários',
      apiKeys: 'Chaves de API',
      applicationsPerMonth: 'Solicitações por mês',
      screeningsPerDay: 'Verificações por dia',
      storageGb: 'Armazenamento, GiB',
      ratePerMinute: 'Chamadas por minuto',
    } satisfies Record<Quota, string>,
  },
});

/** Edits the name, plan and quotas of a tenant. A quota below current usage needs a confirmation. */
export function QuotasDialog({ tenant, onClose }: { readonly tenant: Tenant; readonly onClose: () => void }) {
  const t = useWords(words);
  const { name, plan } = useWords(tenantWords);
  const changed = useTenantsChanged();
  const [isBelowUsage, setBelowUsage] = useState(false);
  const { quotas } = tenant;
  const form = useForm({
    initial: {
      name: tenant.name,
      plan: tenant.plan,
      force: false,
      users: String(quotas.users),
      apiKeys: String(quotas.apiKeys),
      applicationsPerMonth: String(quotas.applicationsPerMonth),
      screeningsPerDay: String(quotas.screeningsPerDay),
      storageGb: String(quotas.storageGb),
      ratePerMinute: String(quotas.ratePerMinute),
    },
    required: {
      name: t.enterName,
      plan: t.enterPlan,
      users: t.enterNumber,
      apiKeys: t.enterNumber,
      applicationsPerMonth: t.enterNumber,
      screeningsPerDay: t.enterNumber,
      storageGb: t.enterNumber,
      ratePerMinute: t.enterNumber,
    },
    pointers: {
      users: '/quotas/users',
      apiKeys: '/quotas/apiKeys',
      applicationsPerMonth: '/quotas/applicationsPerMonth',
      screeningsPerDay: '/quotas/screeningsPerDay',
      storageGb: '/quotas/storageGb',
      ratePerMinute: '/quotas/ratePerMinute',
    },
    submit: async (values) => {
      const wanted = QUOTAS.filter((quota) => Number(values[quota]) !== quotas[quota]);
      const body = {
        ...(values.name.trim() !== tenant.name && { name: values.name.trim() }),
        ...(values.plan.trim() !== tenant.plan && { plan: values.plan.trim() }),
        ...(wanted.length > 0 && {
          quotas: Object.fromEntries(wanted.map((quota) => [quota, Number(values[quota])])),
          ...(values.force && { force: true }),
        }),
      };
      if (Object.keys(body).length > 0)
        await done(
          client.PATCH('/v1/admin/tenants/{tenantId}', {
            params: { path: { tenantId: tenant.id }, header: { 'If-Match': `"${tenant.version}"` } },
            body,
          }),
        );
      onClose();
      announce(t.saved(tenant.name));
      await changed();
    },
    handle: (error) => {
      // After the first refusal the user confirms the quota and saves again.
      if (codeOf(error) === 'quota_below_usage') setBelowUsage(true);
      return null;
    },
  });
  return (
    <Dialog title={t.title(tenant.name)} onClose={onClose}>
      <Form form={form} action={t.save} cancel={onClose} sticky>
        <TextField field={form.field('name')} label={name} autoComplete="off" maxLength={120} />
        <TextField field={form.field('plan')} label={plan} autoComplete="off" maxLength={40} />
        <div className="tenants-pair">
          {QUOTAS.map((quota) => (
            <TextField
              key={quota}
              field={form.field(quota)}
              type="number"
              label={t.quotas[quota]}
              min={0}
              step={1}
              inputMode="numeric"
            />
          ))}
        </div>
        {isBelowUsage && <Checkbox field={form.field('force')} label={t.force} hint={t.forceHint} />}
      </Form>
    </Dialog>
  );
}
