/** @import { TokenPair } from './types.d.ts' */
import { fill } from '../dom.js';
import { signInView } from '../sign-in/sign-in.js';
import { closeDialogs } from './dialog.js';
import { takeToken } from './fragment.js';
import { frame } from './frame.js';
import { followLinks, openElsewhere } from './links.js';
import { DOORS, ROUTES } from './routes.js';
import { Session } from './session.js';
import { Workspace } from './workspace.js';

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
  const door = DOORS.find((candidate) => candidate.path === path);
  if (door !== undefined) {
    workspace?.beginVisit();
    const token = takeToken();
    name(door.name);
    const { show } = await door.load();
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
