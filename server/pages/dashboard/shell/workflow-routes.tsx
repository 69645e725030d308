/** The pages of workflows. Used by routes.tsx. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { part } from '../core/reachability.ts';
import { workflowsSearch } from '../pages/workflows/workflows-search.ts';
import { inside } from './signed-in.tsx';

const workflows = createRoute({
  ...inside,
  path: '/workflows',
  validateSearch: workflowsSearch,
  component: lazyRouteComponent(
    part(() => import('../pages/workflows/workflows-page.tsx')),
    'WorkflowsPage',
  ),
});
const definition = createRoute({
  ...inside,
  path: '/workflows/definitions/$workflowDefinitionId',
  component: lazyRouteComponent(
    part(() => import('../pages/workflows/definition-page.tsx')),
    'DefinitionPage',
  ),
});
const instance = createRoute({
  ...inside,
  path: '/workflows/instances/$workflowInstanceId',
  component: lazyRouteComponent(
    part(() => import('../pages/workflows/instance-page.tsx')),
    'InstancePage',
  ),
});

export const workflowRoutes = [workflows, definition, instance] as const;
