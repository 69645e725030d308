/**
 * The pages in the side bar, and which of them a role can use. Used by the shell, the command palette and the start
 * page. It only hides what would be of no use; the service refuses what is not permitted.
 */
import {
  Briefcase,
  Building2,
  ClipboardList,
  CreditCard,
  Factory,
  FileSearch,
  FlaskConical,
  Gauge,
  Inbox,
  KeyRound,
  Landmark,
  ListChecks,
  type LucideIcon,
  Radar,
  Rocket,
  ScanSearch,
  Settings,
  ShieldCheck,
  Users,
  Workflow,
} from 'lucide-react';
import type { Schemas } from './api.ts';
import { inLanguages } from './language.ts';
import type { OperationId } from './operation-id.ts';

type Group = 'work' | 'customers' | 'platform' | 'developers' | 'you';

export interface NavigationEntry {
  readonly to:
    | '/applications'
    | '/businesses'
    | '/screenings'
    | '/monitoring'
    | '/work'
    | '/cases'
    | '/cases/reports'
    | '/risk'
    | '/workflows'
    | '/funds-recovery'
    | '/audit'
    | '/team'
    | '/settings'
    | '/tenants'
    | '/watch-lists'
    | '/onboarding'
    | '/keys'
    | '/sandbox'
    | '/account';
  readonly group: Group;
  readonly icon: LucideIcon;
  /** Operation that the page needs to be useful; null if every role may see it. */
  readonly needs: OperationId | null;
}

/**
 * Pages in the order in which the start page is chosen; the side bar shows them by group. Groups without a page that
 * the role may open are hidden.
 */
export const NAVIGATION: readonly NavigationEntry[] = [
  {
    to: '/applications',
    group: 'customers',
    icon: ClipboardList,
    needs: 'listApplications',
  },
  {
    to: '/businesses',
    group: 'customers',
    icon: Factory,
    needs: 'listBusinesses',
  },
  {
    to: '/screenings',
    group: 'customers',
    icon: ScanSearch,
    needs: 'listScreenings',
  },
  {
    to: '/monitoring',
    group: 'customers',
    icon: Radar,
    needs: 'listAlerts',
  },
  {
    to: '/work',
    group: 'work',
    icon: Inbox,
    needs: 'listWork',
  },
  {
    to: '/cases',
    group: 'work',
    icon: Briefcase,
    needs: 'listCases',
  },
  {
    to: '/cases/reports',
    group: 'work',
    icon: Landmark,
    needs: 'listReports',
  },
  {
    to: '/risk',
    group: 'work',
    icon: Gauge,
    needs: 'listRiskModels',
  },
  {
    to: '/workflows',
    group: 'work',
    icon: Workflow,
    needs: 'listWorkflowDefinitions',
  },
  {
    to: '/funds-recovery',
    group: 'work',
    icon: CreditCard,
    needs: 'listFundsRecoveries',
  },
  {
    to: '/tenants',
    group: 'platform',
    icon: Building2,
    needs: 'listTenants',
  },
  {
    to: '/watch-lists',
    group: 'platform',
    icon: ListChecks,
    needs: 'listWatchLists',
  },
  {
    to: '/onboarding',
    group: 'platform',
    icon: Rocket,
    needs: 'getOnboardingChecklist',
  },
  {
    to: '/team',
    group: 'platform',
    icon: Users,
    needs: 'listUsers',
  },
  {
    to: '/audit',
    group: 'platform',
    icon: FileSearch,
    needs: 'listAuditEvents',
  },
  {
    to: '/settings',
    group: 'platform',
    icon: Settings,
    needs: 'getSettings',
  },
  {
    to: '/keys',
    group: 'developers',
    icon: KeyRound,
    needs: 'listApiKeys',
  },
  {
    to: '/sandbox',
    group: 'developers',
    icon: FlaskConical,
    needs: 'getSandbox',
  },
  {
    to: '/account',
    group: 'you',
    icon: ShieldCheck,
    needs: null,
  },
];

export const GROUPS: readonly Group[] = ['work', 'customers', 'platform', 'developers', 'you'];

export const navigationWords = inLanguages({
  en: {
    groups: {
      customers: 'Customers',
      work: 'Work',
      platform: 'Platform',
      developers: 'Developers',
      you: 'You',
    } satisfies Record<Group, string>,
    pages: {
      '/applications': 'Applications',
      '/businesses': 'Companies',
      '/screenings': 'Screening',
      '/monitoring': 'Monitoring',
      '/work': 'My work',
      '/cases': 'Cases',
      '/cases/reports': 'Reports',
      '/risk': 'Risk models',
      '/workflows': 'Workflows',
      '/funds-recovery': 'Funds recovery',
      '/onboarding': 'Go live',
      '/team': 'Team',
      '/audit': 'Audit log',
      '/settings': 'Settings',
      '/tenants': 'Tenants',
      '/watch-lists': 'Watch lists',
      '/keys': 'API keys',
      '/sandbox': 'Sandbox',
      '/account': 'Account',
    } satisfies Record<NavigationEntry['to'], string>,
  },
  pt: {
    groups: {
      customers: 'Clientes',
      work: 'Trabalho',
      platform: 'Plataforma',
      developers: 'Desenvolvedores',
      you: 'Você',
    } satisfies Record<Group, string>,
    pages: {
      '/applications': 'Solicitações',
      '/businesses': 'Empresas',
      '/screenings': 'Consultas a listas',
      '/monitoring': 'Monitoramento',
      '/work': 'Meu trabalho',
      '/cases': 'Casos',
      '/cases/reports': 'Comunicações',
      '/risk': 'Modelos de risco',
      '/workflows': 'Fluxos de trabalho',
      '/funds-recovery': 'Recuperação de valores',
      '/onboarding': 'Entrar em produção',
      '/team': 'Equipe',
      '/audit': 'Trilha de auditoria',
      '/settings': 'Configurações',
      '/tenants': 'Inquilinos',
      '/watch-lists': 'Listas restritivas',
      '/keys': 'Chaves de API',
      '/sandbox': 'Sandbox',
      '/account': 'Conta',
    } satisfies Record<NavigationEntry['to'], string>,
  },
});

/** Returns the pages that are useful with these permissions. */
export function openTo({
  permissions,
  mfaEnrolmentRequired,
}: {
  readonly permissions: readonly string[];
  readonly mfaEnrolmentRequired: boolean;
}): readonly NavigationEntry[] {
  if (mfaEnrolmentRequired) return NAVIGATION.filter(({ to }) => to === '/account');
  return NAVIGATION.filter(({ needs }) => needs === null || permissions.includes(needs));
}

/** Whether an address is that of a report, which only those who may read reports are to know of. */
export function isSealedFrom({ permissions }: Schemas['CurrentUser'], path: string): boolean {
  return path.startsWith('/cases/reports/') && !permissions.includes('listReports');
}

/**
 * Returns the start page: the checklist if the tenant is not live yet, otherwise the first page that is open to the
 * user.
 */
export function homeOf(current: Schemas['CurrentUser']): NavigationEntry['to'] {
  const pages = openTo(current).map(({ to }) => to);
  if (current.tenant.status === 'onboarding' && pages.includes('/onboarding')) return '/onboarding';
  return pages[0] ?? '/account';
}
