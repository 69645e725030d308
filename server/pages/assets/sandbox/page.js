/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Workspace } from '../app/workspace.js' */
import { el, fill } from '../dom.js';
import { showFailure } from '../app/failure.js';
import { Api } from './api.js';
import { clockCard } from './clock.js';
import { contentsCard } from './contents.js';
import { personaTable } from './personas.js';
import { simulateCard } from './simulate.js';
import { switchCard } from './switch.js';

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
    const parts = { api, workspace, status, changed: draw, reload: load };
    fill(page,
      el('div', { class: 'columns' },
        el('div', { class: 'stack' }, switchCard(parts), simulateCard(parts)),
        el('div', { class: 'stack' }, contentsCard(parts), clockCard(status.clock))),
      personaTable(parts));
  }
}

/**
 * @typedef {object} Parts
 * @property {Api} api
 * @property {Workspace} workspace
 * @property {Schemas['SandboxStatus']} status
 * @property {(status: Schemas['SandboxStatus']) => void} changed
 * @property {() => Promise<void>} reload
 */
