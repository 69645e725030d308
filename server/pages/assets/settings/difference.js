/** @import { TenantSettings } from './api.js' */
/** @import { Member } from './members.js' */
import { el } from '../dom.js';
import { relativeTime } from '../app/time.js';

/**
 * What somebody else has changed: as it was shown, as it is, and what was entered here, if anything was.
 * @typedef {{ member: Member, before: unknown, now: unknown, mine: unknown }} Overtaking
 */

/** @param {Member} member @param {unknown} before @param {unknown} after */
function fromTo({ items, empty = 'None' }, before, after) {
  const [was, is] = [items(before), items(after)];
  if (was.length < 2 && is.length < 2) return `${was[0] ?? empty} → ${is[0] ?? empty}`;
  const [gone, come] = [was.filter((item) => !is.includes(item)), is.filter((item) => !was.includes(item))];
  return [gone.length > 0 && `removed: ${gone.join(', ')}`, come.length > 0 && `added: ${come.join(', ')}`].filter(Boolean).join('; ') || 'in another order';
}

/**
 * @param {TenantSettings} settings as they are
 * @param {readonly Overtaking[]} changes in this section
 * @param {readonly string[]} elsewhere sections that were changed besides
 * @param {boolean} pressed whether it was this section that could not be saved
 */
export function overtakenNotice({ updatedBy, updatedAt }, changes, elsewhere, pressed) {
  const who = updatedBy?.display ?? 'Somebody else';
  return el('div', { class: 'notice warning', role: pressed ? 'alert' : null },
    el('p', {}, el('strong', {}, pressed ? 'Not saved yet. ' : ''), `${who} changed the settings `, relativeTime(updatedAt), ', while you had them open.'),
    changes.length > 0 && el('ul', { class: 'differences' }, changes.map(({ member, before, now, mine }) => el('li', {},
      el('strong', {}, member.label), `: ${fromTo(member, before, now)}`, mine !== undefined && `. You entered: ${member.items(mine).join(', ') || (member.empty ?? 'None')}`))),
    elsewhere.length > 0 && el('p', {}, `${changes.length > 0 ? 'Also changed' : 'Changed'}: ${elsewhere.join(', ')}.`),
    el('p', {}, pressed ? 'What you entered is still here. Look at it again, then save.' : 'What you entered here is kept.'));
}

/**
 * Said before it is saved.
 * @param {readonly { member: Member, before: unknown, after: unknown }[]} weakened
 */
export function weakeningNotice(weakened) {
  return el('div', { class: 'notice warning' },
    el('p', {}, el('strong', {}, 'This protects less than before. '), 'Saving it needs a fresh code of your authenticator, and the audit log keeps that you did it.'),
    el('ul', { class: 'differences' }, weakened.map(({ member, before, after }) => el('li', {}, el('strong', {}, member.label), `: ${fromTo(member, before, after)}`))));
}
