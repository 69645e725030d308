import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { part } from '../core/reachability.ts';
import { oneOf, textIn } from '../core/search.ts';
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx';
import { Crash, Root, Unknown } from './root.tsx';

/** Parent of all routes. */
export const root = createRootRoute({ component: Root, notFoundComponent: Unknown, errorComponent: Crash });

const begin = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: SignInPage,
  validateSearch: ({ after }: Readonly<Record<string, unknown>>): { readonly after?: 'reset' | undefined } => ({
    after: oneOf(['reset'], after),
  }),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(
    part(() => import('../pages/mail-links/invitation-page.tsx')),
    'InvitationPage',
  ),
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: '/forgot',
  component: lazyRouteComponent(
    part(() => import('../pages/mail-links/forgot-page.tsx')),
    'ForgotPage',
  ),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(
    part(() => import('../pages/mail-links/reset-page.tsx')),
    'ResetPage',
  ),
});

/** The page of the camera, for signed-in users, without the links of the others. */
const camera = createRoute({
  getParentRoute: () => root,
  path: '/camera',
  validateSearch: ({ applicationId }: Readonly<Record<string, unknown>>): { readonly applicationId: string } => ({
    applicationId: textIn(applicationId) ?? '',
  }),
  component: lazyRouteComponent(
    part(() => import('../pages/camera/camera-page.tsx')),
    'CameraPage',
  ),
});

/** Routes outside of the frame: the sign-in, the links of mails, and the camera. */
export const outsideRoutes = [begin, invitation, forgot, reset, camera] as const;
