/** This module shows one section of the settings, saves its changes and resolves conflicts with changes of other people. */
import { apiForm } from '../app/form.js';
import { relativeTime } from '../app/format.js';
import { el, fill } from '../dom.js';
import { patchOf, pointerOf, same, valuesOf } from './api.js';
/** @import { Field } from '../app/form.js' */
/** @import { TenantSettings } from './api.js' */
/** @import { Control, Member } from './members.js' */
/** @import { Section } from './sections.js' */

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
function weakeningNotice(weakened) {
  return el('div', { class: 'notice warning' },
    el('p', {}, el('strong', {}, 'This protects less than before. '), 'Saving it needs a fresh code of your authenticator, and the audit log keeps that you did it.'),
    el('ul', { class: 'differences' }, weakened.map(({ member, before, after }) => el('li', {}, el('strong', {}, member.label), `: ${fromTo(member, before, after)}`))));
}

/**
 * What a section says, for those who may not change it.
 * @param {readonly Member[]} members
 * @param {readonly unknown[]} values
 */
function readout(members, values) {
  return el('dl', { class: 'facts readout' }, members.map(({ label, items, summary = items, empty = 'None' }, index) => {
    const said = summary(values[index]);
    return el('div', { class: said.length > 4 && 'whole' }, el('dt', {}, label),
      el('dd', {}, said.length > 1 ? el('ul', {}, said.map((item) => el('li', {}, item))) : said[0] ?? empty));
  }));
}

/**
 * One section: a form for those who may change it, and what it says for the others.
 * @param {Section} section
 * @param {object} options
 * @param {TenantSettings} options.settings
 * @param {boolean} options.mayChange
 * @param {(patch: Readonly<Record<string, unknown>>) => Promise<void>} options.save
 */
export function sectionCard(section, { settings, mayChange, save }) {
  const { key, title, explanation, members } = section;
  let base = valuesOf(section, settings);
  /** @type {Control[]} */ let controls = [];
  const heading = el('h2', { id: `settings-${key}`, tabindex: '-1' }, title);
  const notice = el('div', {});
  const warning = el('div', { role: 'status' });
  const body = el('div', {});
  draw(base);

  return {
    title, heading,
    element: el('section', { class: 'card stack', 'aria-labelledby': heading.id }, heading, el('p', { class: 'muted' }, explanation), notice, body),
    /** @param {TenantSettings} now */
    saved(now) {
      base = valuesOf(section, now);
      fill(notice);
      draw(base);
    },
    /** Takes over what somebody else has changed, under what was entered here. @param {TenantSettings} now @returns {Overtaking[]} */
    rebase(now) {
      const [before, draft, theirs] = [base, entered(), valuesOf(section, now)];
      const touched = draft.map((value, index) => !same(value, before[index]));
      const changes = members.flatMap((member, index) => (same(before[index], theirs[index]) ? [] : [
        { member, before: before[index], now: theirs[index], mine: touched[index] ? draft[index] : undefined },
      ]));
      base = theirs;
      if (changes.length > 0) draw(theirs.map((value, index) => (touched[index] ? draft[index] : value)));
      return changes;
    },
    /** @param {Node} words */
    tell: (words) => fill(notice, words),
  };

  /** @param {readonly unknown[]} values */
  function draw(values) {
    if (!mayChange) return fill(body, readout(members, values));
    controls = members.map((member, index) => member.control(pointerOf(section, member), values[index]));
    /** @type {Field[]} */
    const fields = [];
    const form = apiForm({
      fields, action: 'Save', content: [el('div', { class: 'members' }, controls.map(({ element }) => element)), warning],
      submit: () => {
        // As many as there are now: rows come and go.
        fields.splice(0, fields.length, ...controls.flatMap((control) => control.fields?.() ?? [control]));
        return save(patchOf(section, base, entered()));
      },
    });
    form.addEventListener('input', warn);
    fill(body, form);
    warn();
  }

  function warn() {
    const after = entered();
    const weakened = members.flatMap((member, index) => (member.weakens?.(base[index], after[index]) ? [{ member, before: base[index], after: after[index] }] : []));
    const said = weakened.length > 0 ? weakeningNotice(weakened) : null;
    // Said once, and not at every key.
    if (warning.textContent !== (said?.textContent ?? '')) fill(warning, said);
  }

  function entered() {
    return mayChange ? controls.map((control) => control.value()) : base;
  }
}
