/** @import { CurrentUser } from './types.d.ts' */
import { el, fill } from '../dom.js';
import { Api } from './api.js';
import { closeDialogs } from './dialog.js';
import { keyList } from './key-list.js';
import { sandboxPanel } from './sandbox.js';
import { loadScopes } from './scopes.js';
import { Session } from './session.js';
import { signInView } from './sign-in.js';

const app = /** @type {HTMLElement} */ (document.getElementById('app'));
const demo = /** @type {HTMLElement} */ (document.getElementById('main')).dataset.demo === 'true';

showSignIn(null);

/** @param {string | null} notice */
function showSignIn(notice) {
  closeDialogs();
  fill(app, signInView({ demo, notice, signedIn: showKeys }));
  if (notice !== null) document.getElementById('sign-in')?.focus();
}

/** @param {Session} session */
async function showKeys(session) {
  const [current, meanings] = await Promise.all([session.user(), loadScopes()]);
  session.onend = showSignIn;
  const api = new Api(session);
  const may = (/** @type {string} */ operation) => current.permissions.includes(operation);
  const environment = el('a', { class: 'badge', href: '#sandbox-heading', title: 'What new records belong to' });
  fill(app,
    signedInBar(current, environment, async () => {
      // Signed out on this page first: that must work without the service, too.
      const ended = session.signOut();
      showSignIn('You are signed out.');
      await ended.catch(() => {});
    }),
    el('div', { class: 'columns' },
      may('listApiKeys')
        ? keyList(api, meanings, may)
        : el('p', { class: 'notice' }, `Your role, ${roleName(current)}, does not include API keys. Ask an owner or an admin of ${current.tenant.name}.`),
      sandboxPanel(api, may, (enabled) => {
        environment.className = `badge ${enabled ? 'test' : 'live'}`;
        environment.textContent = enabled ? 'Sandbox' : 'Live';
      })));
  document.getElementById('keys-heading')?.focus();
}

/**
 * @param {CurrentUser} current
 * @param {HTMLElement} environment
 * @param {() => void} signOut
 */
function signedInBar(current, environment, signOut) {
  return el('div', { class: 'signed-in' },
    el('p', {}, el('strong', {}, current.tenant.name), environment, el('span', { class: 'muted' }, `${current.user.name}, ${roleName(current)}`)),
    el('button', { type: 'button', class: 'button small', onclick: signOut }, 'Sign out'));
}

/** @param {CurrentUser} current */
function roleName({ user }) {
  return user.role.replaceAll('_', ' ');
}
