/** @import { Workspace } from '../app/workspace.js' */
/** @import { Api } from './api.js' */
import { el, fill } from '../dom.js';
import { announce } from '../app/announce.js';
import { disableFactor } from './disable.js';
import { enrol } from './enrol.js';

/**
 * The second factor of the signed-in person.
 * @param {Api} api
 * @param {Workspace} workspace
 */
export function factorCard(api, workspace) {
  const body = el('div', { class: 'stack' });
  draw();
  return el('section', { class: 'card stack', 'aria-labelledby': 'factor-heading' },
    el('h2', { id: 'factor-heading', tabindex: '-1' }, 'Second factor'), body);

  function draw() {
    const { user, tenant, mfaEnrolmentRequired } = workspace.current;
    fill(body, user.mfaEnabled
      ? [
          el('p', {}, el('span', { class: 'badge active' }, 'On'), ' Your password alone does not sign you in: a code of your authenticator is asked for, too.'),
          el('div', {}, el('button', { type: 'button', class: 'button', onclick: () => disableFactor(api, () => changed('The second factor is off.')) }, 'Disable it')),
        ]
      : [
          el('p', {}, el('span', { class: 'badge' }, 'Off'), mfaEnrolmentRequired
            ? ` ${tenant.name} asks for a second factor. Enrol an authenticator app to go on.`
            : ' With an authenticator app on your phone, a stolen password is not enough to sign in as you.'),
          el('div', {}, el('button', { type: 'button', class: 'button primary', onclick: () => enrol(api, () => changed('The second factor is on.')) }, 'Enrol an authenticator')),
        ]);
  }

  /** @param {string} words */
  async function changed(words) {
    await workspace.refresh();
    announce(words);
    const { destination } = workspace;
    workspace.destination = null;
    if (destination !== null) return workspace.go(destination === '/account' ? workspace.home : destination);
    draw();
    document.getElementById('factor-heading')?.focus();
  }
}
