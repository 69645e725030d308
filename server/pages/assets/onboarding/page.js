/** This module is the page of the onboarding checklist, from which a tenant goes live. */
import { ApiError } from '../app/api.js';
import { announce, openDialog, showFailure } from '../app/components.js';
import { apiForm, field } from '../app/form.js';
import { relativeTime } from '../app/format.js';
import { safeLink } from '../app/navigation.js';
import { el, fill } from '../dom.js';
import { Api } from './api.js';
/** @import { Workspace } from '../app/navigation.js' */
/** @import { Checklist, Step } from './api.js' */

/** Into production. It needs a fresh second factor, which the session asks for. @param {ActionContext} context */
function askGoLive({ api, workspace, changed }) {
  const input = el('input', { type: 'text', name: 'note', maxlength: 500, autocomplete: 'off' });
  const note = field('Note', '/note', input, 'For the audit log; may be left empty.');
  openDialog(`Go live with ${workspace.current.tenant.name}?`, (close) => [
    el('p', {}, 'Sandbox mode goes off, and what is created from then on is real. Sandbox records stay in the sandbox.'),
    apiForm({
      fields: [note],
      action: 'Go live',
      cancel: close,
      submit: async () => {
        await api.goLive(input.value.trim());
        close();
        await workspace.refresh();
        changed(`${workspace.current.tenant.name} is live.`);
      },
    }),
  ]);
}

/**
 * @param {Step} step
 * @param {ActionContext} context
 */
function askDismiss({ key, title }, { api, changed }) {
  const input = el('input', { type: 'text', name: 'reason', maxlength: 500, autocomplete: 'off' });
  const reason = field('Reason', '/reason', input, 'At least ten characters, for the audit log.');
  openDialog(`Put “${title}” aside?`, (close) => [apiForm({
    fields: [reason],
    action: 'Put aside',
    cancel: close,
    submit: async () => {
      await api.dismissChecklistStep(key, { reason: input.value.trim() });
      close();
      changed(`“${title}” is put aside.`, key);
    },
  })]);
}

/**
 * @param {Step} step
 * @param {ActionContext} context
 */
function askRestore({ key, title }, { api, changed }) {
  openDialog(`Take “${title}” up again?`, (close) => [
    el('p', {}, 'It counts among the open steps again.'),
    apiForm({
      action: 'Take up again',
      cancel: close,
      submit: async () => {
        await api.dismissChecklistStep(key, { restore: true });
        close();
        changed(`“${title}” is open again.`, key);
      },
    }),
  ]);
}

/**
 * How far it is, and the way into production at its end.
 * @param {Checklist} checklist
 * @param {ActionContext} context
 */
function progressCard({ tenantStatus, steps, progressPercent, goLiveReady, missingRequired }, context) {
  const { workspace } = context;
  const settled = steps.filter(({ status }) => status === 'done' || status === 'dismissed').length;
  const live = tenantStatus !== 'onboarding';
  return el('section', { class: 'card stack', 'aria-labelledby': 'progress-heading' },
    el('header', { class: 'section-header' },
      el('h2', { id: 'progress-heading', tabindex: '-1' }, live ? `${workspace.current.tenant.name} is live` : `${settled} of ${steps.length} steps`),
      el('span', { class: `badge ${live ? 'active' : 'onboarding'}` }, live ? 'Live' : 'In the sandbox')),
    el('progress', { max: 100, value: progressPercent, 'aria-label': 'Progress' }),
    el('p', { class: 'muted' }, live
      ? 'The checklist stays: it shows when a step falls back.'
      : 'Each step is computed from what is really there; nothing is ticked by hand. Until you go live, everything happens in the sandbox.'),
    !live && workspace.may('goLive') && (goLiveReady
      ? el('div', {}, el('button', { type: 'button', class: 'button primary', onclick: () => askGoLive(context) }, 'Go live'))
      : el('p', { class: 'hint' }, `${missingRequired.length} required ${missingRequired.length === 1 ? 'step is' : 'steps are'} missing before you can go live.`)));
}

/** @type {Readonly<Record<string, string>>} */
const WORDS = { done: 'Done', todo: 'To do', blocked: 'Waits', dismissed: 'Put aside' };
/** @type {Readonly<Record<string, string>>} */
const PLACES = { '/account': 'Open your account', '/team': 'Open the team', '/keys': 'Open the API keys', '/sandbox': 'Open the sandbox', '/audit': 'Open the audit log', '/settings': 'Open the settings' };

/**
 * @param {Step} step
 * @param {ReadonlyMap<string, string>} titles of all steps by key
 * @param {ActionContext} context
 */
function stepItem(step, titles, context) {
  const { key, title, required, status, completedAt, regressedAt, evidence, blockedBy, dismissal, howTo } = step;
  const open = status === 'todo' || status === 'blocked';
  const mayDismiss = context.workspace.may('dismissChecklistStep') && !required;
  return el('li', { class: `step ${status}` },
    el('span', { class: 'mark', 'aria-hidden': 'true' }, status === 'done' ? '✓' : status === 'dismissed' ? '–' : ''),
    el('div', { class: 'stack' },
      el('header', {},
        el('h3', { id: `step-${key}`, tabindex: '-1' }, title),
        el('p', { class: 'badges' }, el('span', { class: `badge ${status}` }, WORDS[status] ?? status), !required && el('span', { class: 'badge' }, 'Optional'))),
      status === 'done' && el('p', { class: 'muted' }, completedAt !== null && ['Since ', relativeTime(completedAt), evidence.length > 0 && ': '], shown(evidence)),
      regressedAt !== null && open && el('p', { class: 'notice warning' }, 'It was done, and fell back ', relativeTime(regressedAt), '.'),
      blockedBy.length > 0 && open && el('p', { class: 'muted' }, `First: ${blockedBy.map((other) => titles.get(other) ?? other).join('; ')}.`),
      dismissal !== null && el('p', { class: 'muted' }, `“${dismissal.reason}” (${dismissal.by.display ?? dismissal.by.type}, `, relativeTime(dismissal.at), ')'),
      el('div', { class: 'step-actions' },
        open && safeLink(howTo, PLACES[howTo] ?? 'See how'),
        open && mayDismiss && el('button', { type: 'button', class: 'button quiet small', onclick: () => askDismiss(step, context) }, 'Put aside', el('span', { class: 'visually-hidden' }, ` (${title})`)),
        status === 'dismissed' && mayDismiss && el('button', { type: 'button', class: 'button quiet small', onclick: () => askRestore(step, context) }, 'Take up again', el('span', { class: 'visually-hidden' }, ` (${title})`)))));
}

/** @param {Step['evidence']} evidence */
function shown(evidence) {
  return evidence.flatMap(({ type, id }, index) => [index > 0 && ', ', `${type.replaceAll('_', ' ')} `, el('code', { class: 'evidence' }, id)]);
}

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
 * @typedef {object} ActionContext
 * @property {Api} api
 * @property {Workspace} workspace
 * @property {(words: string, key?: string) => void} changed
 */
