/** The table of tenants. Used by tenants-page.tsx. */
import { useMemo } from 'react';
import type { Schemas } from '../../core/api.ts';
import { type CurrentUser, useCurrent } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import type { OperationId } from '../../core/operation-id.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { useFormat } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { type Tenant, tenantWords } from './tenant-words.ts';

type TenantAction = 'health' | 'quotas' | Schemas['TenantStatusUpdate']['status'];

/** A dialog about a tenant. */
export interface TenantQuestion {
  readonly action: TenantAction;
  readonly tenant: Tenant;
}

const words = inLanguages({
  en: {
    tenants: 'Tenants',
    tenant: 'Tenant',
    month: 'Applications this month',
    live: 'Live',
    actions: 'Actions',
    actionsOn: (name: string) => `Actions for ${name}`,
    notYet: 'Not yet',
    fromStart: 'From the start',
    since: (day: string) => `Since ${day}`,
    inRegion: (plan: string, region: string) => `${plan}, in ${region}`,
    because: (reason: string, by: string, when: string) => `${reason}, by ${by}, ${when}`,
    closing: (by: string) => `${by} wants to close it. A second administrator has to confirm.`,
    health: 'Health',
    quotas: 'Plan and quotas…',
    active: 'Reactivate…',
    suspended: 'Suspend…',
    closed: 'Close…',
    confirm: 'Confirm closing…',
  },
  pt: {
    tenants: 'Inquilinos',
    tenant: 'Inquilino',
    month: 'Solicitações no mês',
    live: 'Em produção',
    actions: 'Ações',
    actionsOn: (name: string) => `Ações para ${name}`,
    notYet: 'Ainda não',
    fromStart: 'Desde o início',
    since: (day: string) => `Desde ${day}`,
    inRegion: (plan: string, region: string) => `${plan}, em ${region}`,
    because: (reason: string, by: string, when: string) => `${reason}, por ${by}, ${when}`,
    closing: (by: string) => `${by} quer encerrá-lo. Um segundo administrador precisa confirmar.`,
    health: 'Saúde',
    quotas: 'Plano e cotas…',
    active: 'Reativar…',
    suspended: 'Suspender…',
    closed: 'Encerrar…',
    confirm: 'Confirmar encerramento…',
  },
});

const TONES: Readonly<Record<Schemas['TenantStatus'], Tone>> = {
  onboarding: 'info',
  active: 'good',
  suspended: 'warning',
  closed: 'neutral',
};

/** Returns the available actions. The user who requested a closure cannot confirm it. */
function actionsOn({ status, closure }: Tenant, { user, permissions }: CurrentUser): readonly TenantAction[] {
  const may = (operation: OperationId) => permissions.includes(operation);
  const mayDecide = may('replaceTenantStatus');
  const offered: readonly (TenantAction | false)[] = [
    'health',
    may('updateTenant') && status !== 'closed' && 'quotas',
    mayDecide && status === 'suspended' && 'active',
    mayDecide && (status === 'active' || status === 'onboarding') && 'suspended',
    mayDecide && status !== 'closed' && closure?.requestedBy.id !== user.id && 'closed',
  ];
  return offered.filter((action) => action !== false);
}

export function TenantTable({
  tenants,
  ask,
}: {
  readonly tenants: readonly Tenant[];
  readonly ask: (question: TenantQuestion) => void;
}) {
  const t = useWords(words);
  const names = useWords(tenantWords);
  const format = useFormat();
  const current = useCurrent();
  // The columns must stay the same between renders: a menu in a cell of new columns would close.
  const columns = useMemo(() => {
    const column = columnsOf<Tenant>();
    const used = (value: number, quota: number) => (
      <span className="number">{names.of(format.number(value), format.number(quota))}</span>
    );
    return [
      column.display({
        id: 'tenant',
        header: t.tenant,
        cell: ({
          row: {
            original: { name, slug },
          },
        }) => (
          <span className="tenants-cell">
            <span>{name}</span>
            <code className="muted">{slug}</code>
          </span>
        ),
      }),
      column.display({
        id: 'status',
        header: names.status,
        cell: ({
          row: {
            original: { status, statusReason, closure },
          },
        }) => (
          <span className="tenants-cell">
            <span>
              <Badge tone={TONES[status]}>{names.statuses[status]}</Badge>
            </span>
            {statusReason !== null && status !== 'active' && (
              <span className="muted">
                {t.because(
                  names.reasons[statusReason.code] ?? statusReason.code,
                  statusReason.by.display,
                  format.relative(statusReason.at),
                )}
              </span>
            )}
            {closure !== null && status !== 'closed' && (
              <span className="muted">{t.closing(closure.requestedBy.display)}</span>
            )}
          </span>
        ),
      }),
      column.display({
        id: 'plan',
        header: names.plan,
        cell: ({
          row: {
            original: { plan, region },
          },
        }) => <span>{t.inRegion(plan, region)}</span>,
      }),
      column.display({
        id: 'users',
        header: names.users,
        cell: ({
          row: {
            original: { usage, quotas },
          },
        }) => used(usage.users, quotas.users),
      }),
      column.display({
        id: 'keys',
        header: names.apiKeys,
        cell: ({
          row: {
            original: { usage, quotas },
          },
        }) => used(usage.apiKeys, quotas.apiKeys),
      }),
      column.display({
        id: 'month',
        header: t.month,
        cell: ({
          row: {
            original: { usage, quotas },
          },
        }) => used(usage.applicationsThisMonth, quotas.applicationsPerMonth),
      }),
      column.display({
        id: 'live',
        header: t.live,
        cell: ({
          row: {
            original: { goLiveAt, status },
          },
        }) => {
          if (goLiveAt !== null) return <span>{t.since(format.day(goLiveAt))}</span>;
          return <span>{status === 'onboarding' ? t.notYet : t.fromStart}</span>;
        },
      }),
      column.display({
        id: 'actions',
        header: () => <span className="visually-hidden">{t.actions}</span>,
        cell: ({ row: { original: tenant } }) => (
          <div className="row-menu">
            <Menu
              label={t.actionsOn(tenant.name)}
              actions={actionsOn(tenant, current).map((action) => ({
                label: action === 'closed' && tenant.closure !== null ? t.confirm : t[action],
                danger: action === 'suspended' || action === 'closed',
                run: () => ask({ action, tenant }),
              }))}
            />
          </div>
        ),
      }),
    ];
  }, [t, names, format, current, ask]);
  return <DataTable caption={t.tenants} rows={tenants} columns={columns} rowId={({ id }) => id} />;
}
