/** @import { Workspace } from '../app/workspace.js' */
/** @import { Checklist } from './api.js' */
import { el, fill } from '../dom.js';
import { announce } from '../app/announce.js';
import { ApiError } from '../app/api-error.js';
import { showFailure } from '../app/failure.js';
import { Api } from './api.js';
import { progressCard } from './progress.js';
import { stepItem } from './step.js';

/** What is left to do before the tenant goes live, as it is right now. @param {Workspace} workspace */
export function show(workspace) {
  const api = new Api(workspace.session);
  const page = el('div', { class: 'page' });
  let drawn = '';
  showFailure(page, read);
  // What moves a step often happens in another window: in the outbox, at a terminal, on a telephone.
  addEventListener('focus', again, { signal: workspace.leaving });
  document.addEventListener('visibilitychange', () => { if (!document.hidden) again(); }, { signal: workspace.leaving });
  return page;

  async function read() {
    draw(await api.getOnboardingChecklist());
  }

  /** Nobody asked for this one, so nobody is told when it fails. */
  function again() {
    read().catch((error) => { if (!(error instanceof ApiError)) throw error; });
  }

  /** @param {Checklist} checklist */
  function draw(checklist) {
    const now = JSON.stringify(checklist);
    if (now === drawn) return;
    drawn = now;
    const titles = new Map(checklist.steps.map(({ key, title }) => [key, title]));
    const focused = document.activeElement?.id;
    fill(page,
      progressCard(checklist, { api, workspace, changed }),
      el('ol', { class: 'steps-list' }, checklist.steps.map((step) => stepItem(step, titles, { api, workspace, changed }))));
    if (focused) document.getElementById(focused)?.focus();
  }

  /**
   * @param {string} words
   * @param {string} [key]
   */
  async function changed(words, key) {
    await showFailure(page, read);
    document.getElementById(key === undefined ? 'progress-heading' : `step-${key}`)?.focus();
    announce(words);
  }
}

/**
 * @typedef {object} Hands
 * @property {Api} api
 * @property {Workspace} workspace
 * @property {(words: string, key?: string) => void} changed
 */
