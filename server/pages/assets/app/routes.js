/** @import { TokenPair } from './types.d.ts' */
/** @import { Workspace } from './workspace.js' */

/**
 * A page of the dashboard. All of them are one document: the tokens live in its memory, and following a link to another
 * document would sign the user out.
 * @typedef {object} Route
 * @property {string} path
 * @property {string} name
 * @property {string | null} needs the operation without which the page is of no use; null when everybody may see it
 * @property {() => Promise<{ show: (workspace: Workspace) => Node }>} load
 */

/** @type {readonly Route[]} */
export const ROUTES = [
  { path: '/onboarding', name: 'Onboarding', needs: 'getOnboardingChecklist', load: () => import('../onboarding/page.js') },
  { path: '/tenants', name: 'Tenants', needs: 'listTenants', load: () => import('../tenants/page.js') },
  { path: '/keys', name: 'API keys', needs: 'listApiKeys', load: () => import('../keys/page.js') },
  { path: '/team', name: 'Team', needs: 'listUsers', load: () => import('../team/page.js') },
  { path: '/audit', name: 'Audit log', needs: 'listAuditEvents', load: () => import('../audit/page.js') },
  { path: '/funds-recovery', name: 'Funds recovery', needs: 'listFundsRecoveries', load: () => import('../recovery/page.js') },
  { path: '/sandbox', name: 'Sandbox', needs: 'getSandbox', load: () => import('../sandbox/page.js') },
  { path: '/settings', name: 'Settings', needs: 'getSettings', load: () => import('../settings/page.js') },
  { path: '/account', name: 'Account', needs: null, load: () => import('../account/page.js') },
];

/**
 * A page for people who are not signed in.
 * @typedef {object} Door
 * @property {string} path
 * @property {string} name
 * @property {() => Promise<{ show: (options: DoorOptions) => Node }>} load
 */

/**
 * @typedef {object} DoorOptions
 * @property {string | null} token the secret from the link in a mail
 * @property {string | null} outbox where this installation shows its mail, when nobody delivers it
 * @property {(notice: string) => void} leave to the sign-in
 * @property {(tokens: TokenPair) => Promise<void>} signedIn
 */

/** @type {readonly Door[]} */
export const DOORS = [
  { path: '/invitation', name: 'Accept your invitation', load: () => import('../sign-in/invitation.js') },
  { path: '/forgot', name: 'Forgotten password', load: () => import('../sign-in/forgot.js') },
  { path: '/reset', name: 'Choose a new password', load: () => import('../sign-in/reset.js') },
];

/** @param {string} path */
export function isInside(path) {
  return path === '/sign-in' || [...ROUTES, ...DOORS].some((place) => place.path === path);
}
