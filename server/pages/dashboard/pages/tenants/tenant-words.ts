/** Types and words of tenants. Used by the files of this folder. */
import type { Schemas } from '../../core/api.ts';
import { inLanguages } from '../../core/language.ts';

export type Tenant = Schemas['Tenant'];
export type Reason = Schemas['TenantStatusUpdate']['reasonCode'];

export const REASONS = [
  'security_incident',
  'terms_violation',
  'payment_overdue',
  'regulator_order',
  'customer_request',
  'resolved',
  'other',
] as const satisfies readonly Reason[];

interface TenantWords {
  readonly statuses: Readonly<Record<Schemas['TenantStatus'], string>>;
  /** By code. A code unknown to this page is shown as in the contract. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly name: string;
  readonly plan: string;
  readonly status: string;
  readonly users: string;
  readonly apiKeys: string;
  readonly of: (used: string, quota: string) => string;
}

export const tenantWords = inLanguages<TenantWords>({
  en: {
    statuses: {
      onboarding: 'Onboarding',
      active: 'Active',
      suspended: 'Suspended',
      closed: 'Closed',
    },
    reasons: {
      security_incident: 'Security incident',
      terms_violation: 'Breach of the terms',
      payment_overdue: 'Payment overdue',
      regulator_order: 'Order of a regulator',
      customer_request: 'Wish of the customer',
      resolved: 'Resolved',
      other: 'Other',
    },
    name: 'Name',
    plan: 'Plan',
    status: 'Status',
    users: 'Users',
    apiKeys: 'API keys',
    of: (used, quota) => `${used} of ${quota}`,
  },
  pt: {
    statuses: {
      onboarding: 'Em implantação',
      active: 'Ativo',
      suspended: 'Suspenso',
      closed: 'Encerrado',
    },
    reasons: {
      security_incident: 'Incidente de segurança',
      terms_violation: 'Violação dos termos',
      payment_overdue: 'Pagamento em atraso',
      regulator_order: 'Ordem de um regulador',
      customer_request: 'Desejo do cliente',
      resolved: 'Resolvido',
      other: 'Outro',
    },
    name: 'Nome',
    plan: 'Plano',
    status: 'Situação',
    users: 'Usuários',
    apiKeys: 'Chaves de API',
    of: (used, quota) => `${used} de ${quota}`,
  },
});
