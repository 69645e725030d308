/** @import { Schemas } from '../app/types.d.ts' */
import { el } from '../dom.js';
import { COURSE, statusWords } from './words.js';

/**
 * Where a recovery stands in its course: what has been told, where it is, and what was left out.
 * @param {string} status
 * @param {readonly Schemas['FundsRecoveryEvent'][]} events
 */
export function lifecycle(status, events) {
  const told = new Set(events.map(({ eventType }) => eventType.replace(/^FUNDS_RECOVERY_/, '')));
  const course = status === 'CANCELLED' ? [...COURSE.filter((step) => told.has(step)), 'CANCELLED'] : COURSE;
  const here = course.indexOf(status);
  return el('ol', { class: 'lifecycle', 'aria-label': 'Lifecycle' }, course.map((step, index) => {
    const [kind, words] = index === here ? ['here', 'it is here'] : told.has(step) ? ['told', 'done'] : index < here ? ['skipped', 'left out'] : ['ahead', 'not yet'];
    return el('li', { class: `${kind} ${step.toLowerCase()}`, 'aria-current': kind === 'here' && 'step' }, statusWords(step), el('span', { class: 'visually-hidden' }, `: ${words}`));
  }));
}
