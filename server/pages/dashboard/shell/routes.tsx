/**
 * Every page of the dashboard with its path and search parameters. Used by main.tsx. A new first part of a path must
 * also be in `DASHBOARD_PAGES` (server/pages/dashboard.ts), or the service does not answer it. Pages load on demand.
 */
import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { auditSearch } from '../pages/audit/audit-search.ts';
import { applicationsSearch } from '../pages/applications/list/search.ts';
import { applicationSearch } from '../pages/applications/search.ts';
import { businessSearch } from '../pages/businesses/business-search.ts';
import { recoverySearch } from '../pages/funds-recovery/recovery-search.ts';
import { keysSearch } from '../pages/keys/keys-search.ts';
import { settingsSearch } from '../pages/settings/settings-search.ts';
import { workSearch } from '../pages/work/work-search.ts';
import { monitoringSearch } from '../pages/monitoring/monitoring-search.ts';
import { backtestSearch, riskSearch } from '../pages/risk/risk-search.ts';
import { screeningsSearch } from '../pages/screenings/screenings-search.ts';
import { teamSearch } from '../pages/team/team-search.ts';
import { tenantsSearch } from '../pages/tenants/tenants-search.ts';
import { Loading } from '../ui/loaded.tsx';
import { part } from '../core/reachability.ts';
import { caseRoutes } from './case-routes.tsx';
import { outsideRoutes, root } from './outside-routes.tsx';
import { inside, signedIn } from './signed-in.tsx';
import { workflowRoutes } from './workflow-routes.tsx';

const applications = createRoute({
  ...inside,
  path: '/applications',
  validateSearch: applicationsSearch,
  component: lazyRouteComponent(
    part(() => import('../pages/applications/applications-page.tsx')),
    'ApplicationsPage',
  ),
});
const newApplication = createRoute({
  ...inside,
  path: '/applications/new',
  component: lazyRouteComponent(
    part(() => import('../pages/applications/new-application-page.tsx')),
    'NewApplicationPage',
  ),
});
const application = createRoute({
  ...inside,
  path: '/applications/$applicationId',
  validateSearch: applicationSearch,
  component: lazyRouteComponent(
    part(() => import('../pages/applications/application-page.tsx')),
    'ApplicationPage',
  ),
});
const businesses = createRoute({
  ...inside,
  path: '/businesses',
  component: lazyRouteComponent(
    part(() => import('../pages/businesses/businesses-page.tsx')),
    'BusinessesPage',
  ),
});
const business = createRoute({
  ...inside,
  path: '/businesses/$businessId',
  validateSearch: businessSearch,
  component: lazyRouteComponent(
    part(() => import('../pages/businesses/business-page.tsx')),
    'BusinessPage',
  ),
});
const screenings = createRoute({
  ...inside,
  path: '/screenings',
  validateSearch: screeningsSearch,
  component: lazyRouteComponent(
    part(() => import('../pages/screenings/screenings-page.tsx')),
    'ScreeningsPage',
  ),
});
const screening = createRoute({
  ...inside,
  path: '/screenings/$screeningId',
  component: lazyRouteComponent(
    part(() => import('../pages/screenings/screening-page.tsx')),
    'ScreeningPage',
  ),
});
const monitoring = createRoute({
  ...inside,
  path: '/monitoring',
  validateSearch: monitoringSearch,
  component: lazyRouteComponent(
    part(() => import('../pages/monitoring/monitoring-page.tsx')),
    'MonitoringPage',
  ),
});
const work = createRoute({
  ...inside,
  path: '/work',
  validateSearch: workSearch,
  component: lazyRouteComponent(
    part(() => import('../pages/work/work-page.tsx')),
    'WorkPage',
  ),
});
const risk = createRoute({
  ...inside,
  path: '/risk',
  validateSearch: riskSearch,
  component: lazyRouteComponent(
    part(() => import('../pages/risk/risk-page.tsx')),
    'RiskPage',
  ),
});
const riskModel = createRoute({
  ...inside,
  path: '/risk/models/$modelId',
  component: lazyRouteComponent(
    part(() => import('../pages/risk/model-page.tsx')),
    'ModelPage',
  ),
});
const editRiskModel = createRoute({
  ...inside,
  path: '/risk/models/$modelId/edit',
  component: lazyRouteComponent(
    part(() => import('../pages/risk/edit-model-page.tsx')),
    'EditModelPage',
  ),
});
const riskList = createRoute({
  ...inside,
  path: '/risk/lists/$listId',
  component: lazyRouteComponent(
    part(() => import('../pages/risk/list-page.tsx')),
    'ListPage',
  ),
});
const backtest = createRoute({
  ...inside,
  path: '/risk/backtests/$backtestId',
  validateSearch: backtestSearch,
  component: lazyRouteComponent(
    part(() => import('../pages/risk/backtest-page.tsx')),
    'BacktestPage',
  ),
});
const assessment = createRoute({
  ...inside,
  path: '/risk/assessments/$assessmentId',
  component: lazyRouteComponent(
    part(() => import('../pages/risk/assessment-page.tsx')),
    'AssessmentPage',
  ),
});
const recoveries = createRoute({
  ...inside,
  path: '/funds-recovery',
  validateSearch: recoverySearch,
  component: lazyRouteComponent(
    part(() => import('../pages/funds-recovery/funds-recovery-page.tsx')),
    'FundsRecoveryPage',
  ),
});
const audit = createRoute({
  ...inside,
  path: '/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(
    part(() => import('../pages/audit/audit-page.tsx')),
    'AuditPage',
  ),
});
const team = createRoute({
  ...inside,
  path: '/team',
  validateSearch: teamSearch,
  component: lazyRouteComponent(
    part(() => import('../pages/team/team-page.tsx')),
    'TeamPage',
  ),
});
const settings = createRoute({
  ...inside,
  path: '/settings',
  validateSearch: settingsSearch,
  component: lazyRouteComponent(
    part(() => import('../pages/settings/settings-page.tsx')),
    'SettingsPage',
  ),
});
const tenants = createRoute({
  ...inside,
  path: '/tenants',
  validateSearch: tenantsSearch,
  component: lazyRouteComponent(
    part(() => import('../pages/tenants/tenants-page.tsx')),
    'TenantsPage',
  ),
});
const watchLists = createRoute({
  ...inside,
  path: '/watch-lists',
  component: lazyRouteComponent(
    part(() => import('../pages/watch-lists/watch-lists-page.tsx')),
    'WatchListsPage',
  ),
});
const onboarding = createRoute({
  ...inside,
  path: '/onboarding',
  component: lazyRouteComponent(
    part(() => import('../pages/onboarding/onboarding-page.tsx')),
    'OnboardingPage',
  ),
});
const keys = createRoute({
  ...inside,
  path: '/keys',
  validateSearch: keysSearch,
  component: lazyRouteComponent(
    part(() => import('../pages/keys/keys-page.tsx')),
    'KeysPage',
  ),
});
const sandbox = createRoute({
  ...inside,
  path: '/sandbox',
  component: lazyRouteComponent(
    part(() => import('../pages/sandbox/sandbox-page.tsx')),
    'SandboxPage',
  ),
});
const account = createRoute({
  ...inside,
  path: '/account',
  component: lazyRouteComponent(
    part(() => import('../pages/account/account-page.tsx')),
    'AccountPage',
  ),
});

export const router = createRouter({
  routeTree: root.addChildren([
    ...outsideRoutes,
    signedIn.addChildren([
      applications,
      newApplication,
      application,
      businesses,
      business,
      screenings,
      screening,
      monitoring,
      work,
      ...caseRoutes,
      ...workflowRoutes,
      risk,
      riskModel,
      editRiskModel,
      riskList,
      backtest,
      assessment,
      recoveries,
      audit,
      team,
      settings,
      tenants,
      watchLists,
      onboarding,
      keys,
      sandbox,
      account,
    ]),
  ]),
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  scrollRestoration: true,
  // Search parameters that no page defines are removed from the URL, so that they do not reach a call that the service
  // refuses.
  search: { strict: true },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
