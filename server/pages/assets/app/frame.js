/** @import { Route } from './routes.js' */
/** @import { Workspace } from './workspace.js' */
import { el, fill } from '../dom.js';
import { roleName } from './roles.js';

/**
 * What stands around every page of the dashboard: who is signed in, where, and the pages that are open to them.
 * @param {Workspace} workspace
 * @param {Route} here
 */
export function frame(workspace, here) {
  const bar = el('div', { class: 'signed-in' });
  const pages = el('nav', { 'aria-label': 'Dashboard', class: 'pages' });
  const notices = el('div', { class: 'notices' });
  const outlet = el('div', {});
  workspace.onchange = draw;
  draw();
  return { element: el('div', { class: 'frame' }, bar, pages, notices, outlet), outlet };

  function draw() {
    const { user, tenant, environment, mfaEnrolmentRequired } = workspace.current;
    fill(bar,
      el('p', {}, el('strong', {}, tenant.name),
        user.role !== 'platform_admin' && el('span', { class: `badge ${environment}`, title: 'What new records belong to' }, environment === 'sandbox' ? 'Sandbox' : 'Live'),
        el('span', { class: 'muted' }, `${user.name || user.email}, ${roleName(user.role)}`)),
      el('button', { type: 'button', class: 'button small', onclick: signOut }, 'Sign out'));
    pages.hidden = mfaEnrolmentRequired;
    fill(pages, el('ul', {}, workspace.routes.map(({ path, name }) =>
      el('li', {}, el('a', { href: path, 'aria-current': path === here.path && 'page' }, name)))));
    fill(notices,
      workspace.passwordOutdated && here.path !== '/account' && el('p', { class: 'notice warning' }, 'Your password does not meet the rules any more. Choose another under ', el('a', { href: '/account' }, 'Account'), '.'),
      !workspace.routes.includes(here) && el('p', { class: 'notice' }, closed()));
  }

  function closed() {
    const { user, tenant, mfaEnrolmentRequired } = workspace.current;
    if (mfaEnrolmentRequired) return `${tenant.name} asks for a second factor. Enrol one first.`;
    return `Your role, ${roleName(user.role)}, does not include this page. Ask an owner or an admin of ${tenant.name}.`;
  }

  async function signOut() {
    // Signed out on this page first: that must work without the service, too.
    const ended = workspace.session.signOut();
    workspace.leave('You are signed out.');
    await ended.catch(() => {});
  }
}
