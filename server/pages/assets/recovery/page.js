/** This module is the page of funds recovery: the recoveries of the tenant and the controls of the sandbox. */
import { ApiError } from '../app/api.js';
import { announce, showFailure } from '../app/components.js';
import { el, fill } from '../dom.js';
import { Api } from './api.js';
import { clockCard, faultCard, playCard } from './controls.js';
import { eventWords, recoveryCard } from './recovery-card.js';
/** @import { Workspace } from '../app/navigation.js' */
/** @import { Schemas } from '../app/types.d.ts' */

/** While something is being played, and while nobody has done anything for a while. */
const SOON_MS = 1500;
const LATER_MS = 10_000;
const LIVELY_MS = 120_000;

/**
 * Looks again and again until the user leaves the page: often after something was done here, seldom otherwise, and not
 * while the page is hidden.
 * @param {() => Promise<void>} look
 * @param {AbortSignal} leaving
 * @param {(error: ApiError | null) => void} onChange why nothing can be seen; null once it can
 */
function watch(look, leaving, onChange) {
  let livelyUntil = 0;
  let wake = () => {};
  void follow();
  leaving.addEventListener('abort', () => wake(), { once: true });
  return {
    /** Something was done: what follows from it is worth seeing at once. */
    stir: () => {
      livelyUntil = Date.now() + LIVELY_MS;
      wake();
    },
  };

  async function follow() {
    while (!leaving.aborted) {
      const wait = await once();
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, wait);
        wake = () => { clearTimeout(timer); resolve(null); };
      });
    }
  }

  /** @returns how long to wait for the next look */
  async function once() {
    if (document.hidden) return SOON_MS;
    try {
      await look();
      onChange(null);
      return Date.now() < livelyUntil ? SOON_MS : LATER_MS;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      onChange(error);
      return (error.problem?.retryAfter ?? 0) * 1000 + LATER_MS;
    }
  }
}

/** As many recoveries as one can look at. */
const SHOWN = 10;

/** The recoveries that changed last, each drawn anew when the feed has carried more of it. */
class Board {
  /** @type {Map<string, { readonly version: string, readonly card: HTMLElement }>} */ #cards = new Map();
  #list = el('div', { class: 'records' });
  #empty = el('p', { class: 'empty' });
  element = el('div', {}, this.#empty, this.#list);
  #hasLooked = false;

  /** @param {string} empty what stands there while there is nothing */
  constructor(empty) {
    fill(this.#empty, empty);
  }

  /**
   * Reads what changed since the last look. Answers with the newest event of what did, in words; the first look brings no news.
   * @param {Api} api
   * @param {Schemas['Environment']} environment
   */
  async look(api, environment) {
    const { items } = await api.listFundsRecoveries(environment, SHOWN);
    const before = this.#cards;
    /** @type {string | null} */ let news = null;
    const cards = await Promise.all(items.map(async (recovery) => {
      const version = `${recovery.revision} ${recovery.status} ${recovery.updatedAt}`;
      const known = before.get(recovery.id);
      if (known?.version === version) return /** @type {const} */ ([recovery.id, known]);
      const events = await api.timelineOf(recovery.id);
      const newest = events.at(-1);
      if (newest !== undefined && this.#hasLooked) news = eventWords(newest.eventType);
      return /** @type {const} */ ([recovery.id, { version, card: keepOpen(known?.card, recoveryCard(recovery, events)) }]);
    }));
    this.#cards = new Map(cards);
    this.#hasLooked = true;
    this.#empty.hidden = items.length > 0;
    // Moving a card would take the focus out of it.
    const wanted = cards.map(([, { card }]) => card);
    if (wanted.some((card, index) => this.#list.children[index] !== card) || this.#list.childElementCount !== wanted.length) this.#list.replaceChildren(...wanted);
    return news;
  }
}

/**
 * Payloads that somebody has opened stay open: events are only ever added behind them.
 * @param {HTMLElement | undefined} before
 * @param {HTMLElement} card
 */
function keepOpen(before, card) {
  const details = card.querySelectorAll('details');
  before?.querySelectorAll('details').forEach(({ open }, index) => {
    const same = details[index];
    if (open && same !== undefined) same.open = true;
  });
  return card;
}

/** Recoveries of funds as they unfold; in the sandbox, whatever one has its directory play. @param {Workspace} workspace */
export function show(workspace) {
  const api = new Api(workspace.session);
  const { environment } = workspace.current;
  const sandbox = environment === 'sandbox';
  const board = new Board(sandbox ? 'Nothing has happened yet. Play a scenario to see a recovery from its first event to its last.' : 'No recovery has concerned you so far.');
  const trouble = el('div', { role: 'status' });
  const side = el('div', { class: 'stack play' });
  const watching = watch(look, workspace.leaving, (error) => fill(trouble, error && el('p', { class: 'notice error' }, error.message)));
  const plays = sandbox && workspace.may('startRecoveryScenario');
  if (plays) void showFailure(side, drawSide);
  return el('div', { class: 'page' },
    !sandbox && el('p', { class: 'notice' }, 'These are live recoveries. To play through one, switch on the ', el('a', { href: '/sandbox' }, 'sandbox'), '.'),
    el('div', { class: plays && 'columns' },
      el('section', { class: 'stack', 'aria-labelledby': 'recoveries-heading' }, el('h2', { id: 'recoveries-heading' }, 'Recoveries'), trouble, board.element),
      plays && side));

  async function look() {
    const news = await board.look(api, environment);
    if (news !== null) announce(news);
  }

  async function drawSide() {
    const { scenarios } = await api.listRecoveryScenarios();
    const clock = clockCard(api, watching.stir);
    const play = playCard(api, scenarios, (run) => {
      clock.show(run);
      watching.stir();
    });
    fill(side, play, clock.element, workspace.may('armDirectoryFault') && faultCard(api));
  }
}
