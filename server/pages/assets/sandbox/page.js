/** This module is the sandbox page: turning sandbox mode on and off, simulations and the reset. */
import { ApiError, randomKey } from '../app/api.js';
import { announce, openDialog, showFailure } from '../app/components.js';
import { apiForm } from '../app/form.js';
import { moment, relativeTime } from '../app/format.js';
import { el, fill } from '../dom.js';
import { Api } from './api.js';
import { personaTable, simulateCard } from './simulate.js';
/** @import { Workspace } from '../app/navigation.js' */
/** @import { Schemas } from '../app/types.d.ts' */
/** @import { PageContext } from './simulate.js' */

/** What time it is in the sandbox. @param {Schemas['SandboxClock']} clock */
function clockCard({ offsetSeconds, now }) {
  return el('section', { class: 'card stack', 'aria-labelledby': 'clock-heading' },
    el('h2', { id: 'clock-heading' }, 'Its clock'),
    el('p', { class: 'clock' }, moment(now)),
    el('p', { class: 'muted' }, offsetSeconds === 0 ? 'Real time.' : `${span(offsetSeconds)} ahead of real time. Deleting the sandbox data sets it back.`));
}

/** @param {number} seconds */
function span(seconds) {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const units = [[days, 'day'], [hours, 'hour'], [days + hours === 0 ? Math.ceil(seconds / 60) : 0, 'minute']];
  return units.filter(([number]) => number !== 0).map(([number, unit]) => `${number} ${unit}${number === 1 ? '' : 's'}`).join(' and ');
}

/** The switch, and what it means as it stands. @param {PageContext} context */
function switchCard({ api, workspace, status: { enabled, enabledAt, enabledBy, warnings }, changed }) {
  const message = el('div', { role: 'alert' });
  const toggle = el('button', {
    type: 'button', role: 'switch', class: 'switch', 'aria-checked': String(enabled), 'aria-labelledby': 'sandbox-heading', onclick: flip,
    hidden: !workspace.may(enabled ? 'disableSandbox' : 'enableSandbox'),
  });
  return el('section', { class: 'card stack', 'aria-labelledby': 'sandbox-heading' },
    el('header', { class: 'section-header' }, el('h2', { id: 'sandbox-heading' }, 'Sandbox mode'), toggle),
    enabled
      ? el('p', {}, el('strong', {}, 'On'), enabledAt && [' since ', relativeTime(enabledAt)], enabledBy?.display ? `, by ${enabledBy.display}` : null, '. New records of people, tokens and live keys that do not keep to live go to the sandbox.')
      : el('p', {}, el('strong', {}, 'Off.'), ' New records are live. Test keys are refused until it is on.'),
    workspace.current.tenant.status === 'onboarding' && el('p', { class: 'notice' }, 'Until your tenant goes live it works in the sandbox only. See ', el('a', { href: '/onboarding' }, 'Onboarding'), '.'),
    warnings.map((warning) => el('div', { class: 'notice warning' }, warning.message, el('ul', {}, warning.prefixes.map((prefix) => el('li', {}, el('code', {}, prefix)))))),
    message);

  async function flip() {
    if (toggle.getAttribute('aria-disabled') === 'true') return;
    toggle.setAttribute('aria-disabled', 'true');
    try {
      changed(await api.switchSandbox(!enabled, randomKey()));
      await workspace.refresh();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      fill(message, el('p', { class: 'notice error' }, error.message));
    } finally {
      toggle.removeAttribute('aria-disabled');
    }
  }
}

/** What the sandbox holds, and its removal. @param {PageContext} context */
function contentsCard({ api, workspace, status: { counts }, reload }) {
  const total = counts.applications + counts.documents + counts.fundsRecoveryEvents;
  return el('section', { class: 'card stack', 'aria-labelledby': 'contents-heading' },
    el('h2', { id: 'contents-heading' }, 'What it holds'),
    el('dl', { class: 'counts' }, count('Applications', counts.applications), count('Documents', counts.documents), count('Events', counts.fundsRecoveryEvents)),
    workspace.may('deleteSandboxData') && total > 0 && el('button', { type: 'button', class: 'button quiet danger small', onclick: ask }, 'Delete sandbox data'));

  function ask() {
    openDialog('Delete all sandbox data?', (close) => [
      el('p', {}, 'Every sandbox record of your tenant is removed, and its clock returns to real time. Live records and the audit log stay. This cannot be undone.'),
      apiForm({ action: 'Delete sandbox data', danger: true, cancel: close, submit: async () => {
        const { deleted } = await api.deleteSandboxData();
        close();
        await reload();
        announce(summary(deleted));
      } }),
    ]);
  }
}

/** @param {Schemas['SandboxCounts']} deleted */
function summary({ applications, documents, fundsRecoveryEvents }) {
  return `Deleted ${applications} applications, ${documents} documents and ${fundsRecoveryEvents} events of the sandbox.`;
}

/**
 * @param {string} name
 * @param {number} value
 */
function count(name, value) {
  return el('div', {}, el('dt', {}, name), el('dd', {}, value.toLocaleString('en-GB')));
}

/** The sandbox of the tenant: its switch, its clock, what it holds and who lives in it. @param {Workspace} workspace */
export function show(workspace) {
  const api = new Api(workspace.session);
  const page = el('div', { class: 'page' });
  load();
  return page;

  function load() {
    return showFailure(page, async () => draw(await api.getSandbox()));
  }

  /** @param {Schemas['SandboxStatus']} status */
  function draw(status) {
    const context = { api, workspace, status, changed: draw, reload: load };
    fill(page,
      el('div', { class: 'columns' },
        el('div', { class: 'stack' }, switchCard(context), simulateCard(context)),
        el('div', { class: 'stack' }, contentsCard(context), clockCard(status.clock))),
      personaTable(context));
  }
}
