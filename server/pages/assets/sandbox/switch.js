/** @import { Parts } from './page.js' */
import { el, fill } from '../dom.js';
import { ApiError } from '../app/api-error.js';
import { randomKey } from '../app/idempotency.js';
import { relativeTime } from '../app/time.js';

/** The switch, and what it means as it stands. @param {Parts} parts */
export function switchCard({ api, workspace, status: { enabled, enabledAt, enabledBy, warnings }, changed }) {
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
