/** @import { Workspace } from '../app/workspace.js' */
import { el, fill } from '../dom.js';
import { showFailure } from '../app/failure.js';
import { Api } from './api.js';
import { keyList } from './key-list.js';
import { loadScopes } from './scopes.js';

/** @param {Workspace} workspace */
export function show(workspace) {
  const page = el('div', {});
  load();
  return el('div', { class: 'page' },
    workspace.current.environment === 'sandbox' && el('p', { class: 'notice warning' }, 'Sandbox mode is on: what live keys create goes to the sandbox, unless they keep to live. See ', el('a', { href: '/sandbox' }, 'Sandbox'), '.'),
    page);

  async function load() {
    await showFailure(page, async () => {
      fill(page, keyList(new Api(workspace.session), await loadScopes(), (operation) => workspace.may(operation)));
    });
  }
}
