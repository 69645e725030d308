/** @import { Step } from './api.js' */
/** @import { Hands } from './page.js' */
import { el } from '../dom.js';
import { safeLink } from '../app/links.js';
import { relativeTime } from '../app/time.js';
import { askDismiss, askRestore } from './dismiss.js';

/** @type {Readonly<Record<string, string>>} */
const WORDS = { done: 'Done', todo: 'To do', blocked: 'Waits', dismissed: 'Put aside' };
/** @type {Readonly<Record<string, string>>} */
const PLACES = { '/account': 'Open your account', '/team': 'Open the team', '/keys': 'Open the API keys', '/sandbox': 'Open the sandbox', '/audit': 'Open the audit log', '/settings': 'Open the settings' };

/**
 * @param {Step} step
 * @param {ReadonlyMap<string, string>} titles of all steps by key
 * @param {Hands} hands
 */
export function stepItem(step, titles, hands) {
  const { key, title, required, status, completedAt, regressedAt, evidence, blockedBy, dismissal, howTo } = step;
  const open = status === 'todo' || status === 'blocked';
  const mayDismiss = hands.workspace.may('dismissOnboardingStep') && !required;
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
        open && mayDismiss && el('button', { type: 'button', class: 'button quiet small', onclick: () => askDismiss(step, hands) }, 'Put aside', el('span', { class: 'visually-hidden' }, ` (${title})`)),
        status === 'dismissed' && mayDismiss && el('button', { type: 'button', class: 'button quiet small', onclick: () => askRestore(step, hands) }, 'Take up again', el('span', { class: 'visually-hidden' }, ` (${title})`)))));
}

/** @param {Step['evidence']} evidence */
function shown(evidence) {
  return evidence.flatMap(({ type, id }, index) => [index > 0 && ', ', `${type.replaceAll('_', ' ')} `, el('code', { class: 'evidence' }, id)]);
}
