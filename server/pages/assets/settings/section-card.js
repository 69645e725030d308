/** @import { Field } from '../app/field.js' */
/** @import { TenantSettings } from './api.js' */
/** @import { Control } from './members.js' */
/** @import { Overtaking } from './difference.js' */
/** @import { Section } from './sections.js' */
import { el, fill } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { weakeningNotice } from './difference.js';
import { readout } from './readout.js';
import { patchOf, pointerOf, same, valuesOf } from './values.js';

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
    const weakened = members.flatMap((member, index) => (member.looser?.(base[index], after[index]) ? [{ member, before: base[index], after: after[index] }] : []));
    const said = weakened.length > 0 ? weakeningNotice(weakened) : null;
    // Said once, and not at every key.
    if (warning.textContent !== (said?.textContent ?? '')) fill(warning, said);
  }

  function entered() {
    return mayChange ? controls.map((control) => control.value()) : base;
  }
}
