/** This module is the settings page, with one card for each section. */
import { ApiError } from '../app/api.js';
import { announce, showFailure } from '../app/components.js';
import { relativeTime } from '../app/format.js';
import { el, fill } from '../dom.js';
import { Api } from './api.js';
import { overtakenNotice, sectionCard } from './section-card.js';
import { SECTIONS } from './sections.js';
/** @import { Workspace } from '../app/navigation.js' */
/** @import { TenantSettings } from './api.js' */
/** @import { Section } from './sections.js' */

/** What the tenant has set, section by section. @param {Workspace} workspace */
export function show(workspace) {
  const api = new Api(workspace.session);
  const page = el('div', { class: 'page' });
  showFailure(page, async () => draw(await api.getSettings()));
  return page;

  /** @param {TenantSettings} shown */
  function draw(shown) {
    let settings = shown;
    const history = el('p', { class: 'muted' });
    const cards = new Map(SECTIONS.map((section) => [section, sectionCard(section, { settings, mayChange: mayChange(section), save: (patch) => save(section, patch) })]));
    tellHistory();
    fill(page, history, [...cards.values()].map(({ element }) => element));

    /**
     * The other sections keep what was entered in them.
     * @param {Section} section
     * @param {Readonly<Record<string, unknown>>} patch
     */
    async function save(section, patch) {
      const card = cards.get(section);
      try {
        settings = await api.updateSettings(settings.version, patch);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'version_conflict')) throw error;
        return catchUp(section);
      }
      tellHistory();
      card?.saved(settings);
      card?.heading.focus();
      announce(`${section.title} saved.`);
      if (section.key === 'security') await stayWelcome();
    }

    /** Somebody else was faster: shows what they did, in every section. @param {Section} pressed */
    async function catchUp(pressed) {
      settings = await api.getSettings();
      tellHistory();
      const changes = [...cards].map(([section, card]) => ({ section, card, changed: card.rebase(settings) }));
      for (const { section, card, changed } of changes) {
        if (changed.length === 0 && section !== pressed) continue;
        const elsewhere = changes.filter((other) => other.section !== section && other.changed.length > 0).map((other) => other.section.title);
        card.tell(overtakenNotice(settings, changed, elsewhere, section === pressed));
      }
      cards.get(pressed)?.heading.focus();
    }

    function tellHistory() {
      const { updatedBy, updatedAt } = settings;
      fill(history, updatedBy === null ? 'As the platform sets them.' : ['Last changed ', relativeTime(updatedAt), ` by ${updatedBy.display ?? updatedBy.type}.`]);
    }
  }

  /** Who asks everybody for a second factor and has none is asked first. */
  async function stayWelcome() {
    await workspace.refresh();
    if (!workspace.current.mfaEnrolmentRequired) return;
    workspace.destination = '/settings';
    workspace.go('/account');
  }

  /** @param {Section} section */
  function mayChange({ officer }) {
    return workspace.may('updateSettings') && (officer || workspace.current.user.role !== 'compliance_officer');
  }
}
