/** @import { Session } from './session.js' */
/** @import { CurrentUser } from './types.d.ts' */
import { ROUTES } from './routes.js';

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
   * @param {object} surroundings
   * @param {(path: string) => void} surroundings.go
   * @param {(notice: string) => void} surroundings.leave
   * @param {string | null} surroundings.outbox where this installation shows its mail, when nobody delivers it
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
