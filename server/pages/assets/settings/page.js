/** @import { Workspace } from '../app/workspace.js' */
/** @import { TenantSettings } from './api.js' */
import { el, fill } from '../dom.js';
import { announce } from '../app/announce.js';
import { showFailure } from '../app/failure.js';
import { relativeTime } from '../app/time.js';
import { Api } from './api.js';
import { sectionCard } from './section-card.js';
import { SECTIONS } from './sections.js';

/** What the tenant has set, section by section. @param {Workspace} workspace */
export function show(workspace) {
  const api = new Api(workspace.session);
  const page = el('div', { class: 'page' });
  showFailure(page, async () => draw(await api.getSettings()));
  return page;

  /** @param {TenantSettings} settings */
  function draw(settings) {
    const { role } = workspace.current.user;
    fill(page,
      el('p', { class: 'muted' }, settings.updatedBy === null ? 'As the platform sets them.' : ['Last changed ', relativeTime(settings.updatedAt), ` by ${settings.updatedBy.display ?? settings.updatedBy.type}.`]),
      SECTIONS.map((section) => sectionCard(section, {
        api, settings,
        mayChange: workspace.may('updateSettings') && (section.officer || role !== 'compliance_officer'),
        saved: (now) => {
          draw(now);
          document.getElementById(`settings-${section.key}`)?.focus();
          announce(`${section.title} saved.`);
        },
      })));
  }
}
