/** The route above every page for signed-in users. Used by the files of routes. */
import { createRoute } from '@tanstack/react-router';
import { root } from './outside-routes.tsx';
import { Shell } from './shell.tsx';

/** Parent of all routes for signed-in users. Others see the sign-in at the same path and stay there afterwards. */
export const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: Shell });
export const inside = { getParentRoute: () => signedIn };
