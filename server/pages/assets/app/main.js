/** This module starts the dashboard: it signs people in, shows the page of the address and the frame around it. */
import { el, fill } from '../dom.js';
import { signInView } from '../sign-in/sign-in.js';
import { closeDialogs } from './components.js';
import { roleName } from './format.js';
import { PUBLIC_PAGES, followLinks, openElsewhere, ROUTES, takeToken, Workspace } from './navigation.js';
import { Session } from './session.js';
/** @import { Route } from './navigation.js' */
/** @import { TokenPair } from './types.d.ts' */

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

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const app = /** @type {HTMLElement} */ (document.getElementById('app'));
const heading = /** @type {HTMLElement} */ (main.querySelector('h1'));
const demo = main.dataset.demo === 'true';
const outbox = main.dataset.outbox ?? null;
/** @type {Workspace | null} */
let workspace = null;
let shown = '';

followLinks(go);
addEventListener('popstate', () => {
  // Also a link within the page ends here.
  if (location.pathname !== shown || location.hash.startsWith('#token=')) render().then(() => heading.focus());
});
render();

/** Shows what the address says. @param {string | null} [notice] */
async function render(notice = null) {
  closeDialogs();
  const path = shown = location.pathname;
  const publicPage = PUBLIC_PAGES.find((candidate) => candidate.path === path);
  if (publicPage !== undefined) {
    workspace?.beginVisit();
    const token = takeToken();
    name(publicPage.name);
    const { show } = await publicPage.load();
    if (path === shown) fill(app, show({ token, outbox, leave: (words) => { history.pushState(null, '', '/sign-in'); leave(words); }, signedIn: enter }));
  } else if (workspace === null) {
    name(ROUTES.find((route) => route.path === path)?.name ?? 'Dashboard');
    fill(app, signInView({ demo, notice, signedIn: enter }));
    if (notice !== null) document.getElementById('sign-in')?.focus();
  } else {
    await showPage(workspace, path);
  }
}

/**
 * @param {Workspace} at
 * @param {string} path
 */
async function showPage(at, path) {
  const leaving = at.beginVisit();
  const route = ROUTES.find((candidate) => candidate.path === path);
  if (route === undefined) {
    history.replaceState(null, '', at.home);
    return render();
  }
  name(route.name);
  const { element, outlet } = frame(at, route);
  fill(app, element);
  if (!at.routes.includes(route)) return;
  const { show } = await route.load();
  // The user may have gone on while it was loading.
  if (!leaving.aborted) fill(outlet, show(at));
}

/** @param {TokenPair} tokens */
async function enter(tokens) {
  const session = new Session(tokens);
  workspace = new Workspace(session, await session.user(), { go, leave, outbox });
  workspace.passwordOutdated = tokens.passwordChangeRequired;
  session.onend = leave;
  openElsewhere(true);
  const path = ROUTES.some((route) => route.path === location.pathname) ? location.pathname : workspace.home;
  if (workspace.current.mfaEnrolmentRequired) workspace.destination = path;
  history.replaceState(null, '', workspace.current.mfaEnrolmentRequired ? '/account' : path);
  await render();
  heading.focus();
}

/** @param {string} reason */
function leave(reason) {
  workspace = null;
  openElsewhere(false);
  render(reason);
}

/** @param {string} path */
async function go(path) {
  if (path !== location.pathname) history.pushState(null, '', path);
  await render();
  if (workspace !== null) heading.focus();
}

/** @param {string} words */
function name(words) {
  heading.textContent = words;
  document.title = `${words} · Compliance Onboarding API`;
}
