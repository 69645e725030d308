/** @import { Api, TenantSettings } from './api.js' */
/** @import { Section } from './sections.js' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';

/**
 * One section as a form. It sends all that it shows: saving says that it was looked at, also when it stays as it is. The
 * version guards what somebody else has changed meanwhile.
 * @param {Section} section
 * @param {object} options
 * @param {Api} options.api
 * @param {TenantSettings} options.settings
 * @param {boolean} options.mayChange
 * @param {(settings: TenantSettings) => void} options.saved
 */
export function sectionCard(section, { api, settings, mayChange, saved }) {
  const { key, title, explanation, members } = section;
  const fields = members.map(({ path, control }) => control(`/${key}/${path}`, read(settings, `${key}/${path}`)));
  const content = el('fieldset', { class: 'members', disabled: !mayChange, 'aria-label': title }, fields.map(({ element }) => element));
  return el('section', { class: 'card stack', 'aria-labelledby': `settings-${key}` },
    el('h2', { id: `settings-${key}`, tabindex: '-1' }, title),
    el('p', { class: 'muted' }, explanation),
    mayChange
      ? apiForm({ fields, content: [content], action: 'Save', submit: async () => saved(await api.updateSettings(settings.version, { [key]: chosen() })) })
      : content);

  function chosen() {
    /** @type {Branch} */
    const patch = {};
    members.forEach(({ path }, index) => write(patch, path.split('/'), fields[index]?.value()));
    return patch;
  }
}

/** @typedef {{ [name: string]: unknown }} Branch */

/**
 * @param {unknown} value
 * @param {string} path
 */
function read(value, path) {
  return path.split('/').reduce((place, step) => (place instanceof Object ? /** @type {Branch} */ (place)[step] : undefined), value);
}

/**
 * @param {Branch} place
 * @param {string[]} path
 * @param {unknown} value
 */
function write(place, [step = '', ...rest], value) {
  if (rest.length === 0) place[step] = value;
  else write(/** @type {Branch} */ (place[step] ??= {}), rest, value);
}
