/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Api } from './api.js' */
import { el, fill } from '../dom.js';
import { recoveryCard } from './recovery-card.js';
import { eventWords } from './words.js';

/** As many recoveries as one can look at. */
const SHOWN = 10;

/** The recoveries that changed last, each drawn anew when the feed has told more of it. */
export class Board {
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
