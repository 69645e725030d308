/** @import { Api } from './api.js' */
/** @import { SandboxReset, SandboxStatus } from './types.d.ts' */
import { el, fill } from '../dom.js';
import { announce } from './announce.js';
import { ApiError } from './api-error.js';
import { apiForm } from './api-form.js';
import { openDialog } from './dialog.js';
import { randomKey } from './idempotency.js';
import { relativeTime } from './time.js';

/**
 * The tenant's sandbox switch, what the sandbox holds, and its removal.
 * @param {Api} api
 * @param {(operation: string) => boolean} may
 * @param {(enabled: boolean) => void} onchange
 */
export function sandboxPanel(api, may, onchange) {
  const body = el('div', { 'aria-live': 'polite' });
  const toggle = el('button', { type: 'button', role: 'switch', class: 'switch', 'aria-checked': 'false', 'aria-labelledby': 'sandbox-heading', hidden: true, onclick: flip });
  load();
  return el('section', { class: 'card sandbox', 'aria-labelledby': 'sandbox-heading' },
    el('header', { class: 'section-header' }, el('h2', { id: 'sandbox-heading' }, 'Sandbox mode'), toggle),
    body);

  function load() {
    return attempt(() => api.getSandbox());
  }

  async function flip() {
    if (toggle.getAttribute('aria-disabled') === 'true') return;
    const enabled = toggle.getAttribute('aria-checked') !== 'true';
    toggle.setAttribute('aria-disabled', 'true');
    await attempt(() => api.switchSandbox(enabled, randomKey()));
    toggle.removeAttribute('aria-disabled');
  }

  /** @param {() => Promise<SandboxStatus>} operation */
  async function attempt(operation) {
    try {
      show(await operation());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      fill(body, el('p', { class: 'notice error', role: 'alert' }, error.message), el('button', { type: 'button', class: 'button small', onclick: load }, 'Try again'));
    }
  }

  /** @param {SandboxStatus} status */
  function show({ enabled, enabledAt, enabledBy, counts, warnings }) {
    toggle.hidden = !may(enabled ? 'disableSandbox' : 'enableSandbox');
    toggle.setAttribute('aria-checked', String(enabled));
    onchange(enabled);
    const total = counts.applications + counts.documents + counts.fundsRecoveryEvents;
    fill(body,
      enabled
        ? el('p', {}, el('strong', {}, 'On'), enabledAt && [' since ', relativeTime(enabledAt)], enabledBy?.display ? `, by ${enabledBy.display}` : null, '. New records of people, tokens and live keys that do not keep to live go to the sandbox.')
        : el('p', {}, el('strong', {}, 'Off.'), ' New records are live. Test keys are refused until it is on.'),
      warnings.map(({ message, prefixes }) => el('div', { class: 'notice warning' }, message, el('ul', {}, prefixes.map((prefix) => el('li', {}, el('code', {}, prefix)))))),
      el('dl', { class: 'counts' }, count('Applications', counts.applications), count('Documents', counts.documents), count('Events', counts.fundsRecoveryEvents)),
      may('deleteSandboxData') && total > 0 && el('button', { type: 'button', class: 'button quiet danger small', onclick: askDelete }, 'Delete sandbox data'));
  }

  function askDelete() {
    openDialog('Delete all sandbox data?', (close) => [
      el('p', {}, 'Every sandbox record of your tenant is removed. Live records and the audit log stay. This cannot be undone.'),
      apiForm({ action: 'Delete sandbox data', danger: true, cancel: close, submit: async () => {
        const { deleted } = await api.deleteSandboxData();
        close();
        await load();
        announce(summary(deleted));
      } }),
    ]);
  }
}

/** @param {SandboxReset['deleted']} deleted */
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
