/** This module lists the pages of the dashboard and follows links between them without loading another document. */
import { el } from '../dom.js';
/** @import { Session } from './session.js' */
/** @import { CurrentUser, TokenPair } from './types.d.ts' */

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
export const ROUTES = [];

/**
 * A page for people who are not signed in.
 * @typedef {object} PublicPage
 * @property {string} path
 * @property {string} name
 * @property {() => Promise<{ show: (options: PublicPageOptions) => Node }>} load
 */

/**
 * @typedef {object} PublicPageOptions
 * @property {string | null} token the secret from the link in a mail
 * @property {string | null} outbox where this installation shows its mail, when nobody delivers it
 * @property {(notice: string) => void} leave to the sign-in
 * @property {(tokens: TokenPair) => Promise<void>} signedIn
 */

/** @type {readonly PublicPage[]} */
export const PUBLIC_PAGES = [];

/** @param {string} path */
function isInside(path) {
  return path === '/sign-in' || [...ROUTES, ...PUBLIC_PAGES].some((page) => page.path === path);
}

/** What the pages of the dashboard work with: the session, whom it belongs to, and the way to other pages. */
export class Workspace {
  #visit = new AbortController();
  /** Where the user was heading before a second factor had to be enrolled. @type {string | null} */
  destination = null;
  /** Whether the password with which the user signed in should be replaced. */
  passwordOutdated = false;
  /** Called when `current` was read again. */
  onchange = () => {};

  /**
   * @param {Session} session
   * @param {CurrentUser} current
   * @param {object} dependencies
   * @param {(path: string) => void} dependencies.go
   * @param {(notice: string) => void} dependencies.leave
   * @param {string | null} dependencies.outbox where this installation shows its mail, when nobody delivers it
   */
  constructor(session, current, { go, leave, outbox }) {
    this.session = session;
    this.current = current;
    this.go = go;
    this.leave = leave;
    this.outbox = outbox;
  }

  /** @param {string} operation */
  may(operation) {
    return this.current.permissions.includes(operation);
  }

  /** The pages that are of use to this user. */
  get routes() {
    if (this.current.mfaEnrolmentRequired) return ROUTES.filter(({ path }) => path === '/account');
    return ROUTES.filter(({ needs }) => needs === null || this.may(needs));
  }

  /** Where to begin. */
  get home() {
    return this.routes[0]?.path ?? '/account';
  }

  /** Aborted when the user leaves the page that is shown. */
  get leaving() {
    return this.#visit.signal;
  }

  beginVisit() {
    this.#visit.abort();
    this.#visit = new AbortController();
    return this.#visit.signal;
  }

  /** After something that may have changed who the user is, where, or what is open to them. */
  async refresh() {
    this.current = await this.session.user();
    this.onchange();
  }
}

/** Links between the pages of the dashboard stay in this document. @param {(path: string) => void} go */
export function followLinks(go) {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.origin !== location.origin || link.target !== '' || link.hasAttribute('download') || link.hash !== '' || !isInside(link.pathname)) return;
    event.preventDefault();
    go(link.pathname);
  });
}

/**
 * The links of the site's header lead to other documents. While somebody is signed in they open beside this one, which
 * holds the session in its memory.
 * @param {boolean} elsewhere
 */
export function openElsewhere(elsewhere) {
  for (const link of document.querySelectorAll('.site-header a')) {
    if (!(link instanceof HTMLAnchorElement) || isInside(link.pathname)) continue;
    link.querySelector('.new-tab')?.remove();
    link.removeAttribute('target');
    if (!elsewhere) continue;
    link.target = '_blank';
    link.append(newTab());
  }
}

/**
 * A link that keeps this document open, wherever it leads.
 * @param {string} href
 * @param {string} words
 */
export function safeLink(href, words) {
  const inside = URL.canParse(href, location.href) && new URL(href, location.href).origin === location.origin && isInside(new URL(href, location.href).pathname);
  return inside ? el('a', { href }, words) : el('a', { href, target: '_blank', rel: 'noopener' }, words, newTab());
}

function newTab() {
  return el('span', { class: 'visually-hidden new-tab' }, ' (opens in a new tab)');
}

/**
 * Takes the secret of a link out of the address, so that neither the address bar nor the history keeps it. Being behind
 * the `#`, it was never sent to a server either.
 * @returns {string | null}
 */
export function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) history.replaceState(null, '', location.pathname);
  return token;
}
