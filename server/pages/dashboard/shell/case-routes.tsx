/** The pages of cases and of the reports about them. Used by routes.tsx. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { part } from '../core/reachability.ts';
import { casesSearch } from '../pages/cases/cases-search.ts';
import { reportsSearch } from '../pages/reports/reports-search.ts';
import { inside } from './signed-in.tsx';

const cases = createRoute({
  ...inside,
  path: '/cases',
  validateSearch: casesSearch,
  component: lazyRouteComponent(
    part(() => import('../pages/cases/cases-page.tsx')),
    'CasesPage',
  ),
});
const reviewCase = createRoute({
  ...inside,
  path: '/cases/$caseId',
  component: lazyRouteComponent(
    part(() => import('../pages/cases/case-page.tsx')),
    'CasePage',
  ),
});
const reports = createRoute({
  ...inside,
  path: '/cases/reports',
  validateSearch: reportsSearch,
  component: lazyRouteComponent(
    part(() => import('../pages/reports/reports-page.tsx')),
    'ReportsPage',
  ),
});
const report = createRoute({
  ...inside,
  path: '/cases/reports/$reportId',
  component: lazyRouteComponent(
    part(() => import('../pages/reports/report-page.tsx')),
    'ReportPage',
  ),
});
const sealedLog = createRoute({
  ...inside,
  path: '/cases/reports/log',
  component: lazyRouteComponent(
    part(() => import('../pages/reports/sealed-log-page.tsx')),
    'SealedLogPage',
  ),
});

export const caseRoutes = [cases, reviewCase, reports, report, sealedLog] as const;
