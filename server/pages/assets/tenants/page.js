/** @import { Workspace } from '../app/workspace.js' */
import { el } from '../dom.js';
import { announce } from '../app/announce.js';
import { filterRow } from '../app/filters.js';
import { pagedList } from '../app/paged-list.js';
import { actionsOn } from './actions.js';
import { Api } from './api.js';
import { createTenant } from './create.js';
import { tenantCard } from './tenant-card.js';

/** The tenants of the platform, for those who administer it. @param {Workspace} workspace */
export function show(workspace) {
  const api = new Api(workspace.session);
  const heading = el('h2', { id: 'tenants-heading', tabindex: '-1' }, 'All tenants');
  const filters = filterRow([
    { name: 'q', label: 'Name or slug', placeholder: 'Part of it' },
    { name: 'status', label: 'Status', choices: [['', 'Any status'], ['onboarding', 'Onboarding'], ['active', 'Active'], ['suspended', 'Suspended'], ['closed', 'Closed']] },
    { name: 'plan', label: 'Plan', placeholder: 'standard' },
    { name: 'sort', label: 'Order', choices: [['-createdAt', 'Newest first'], ['name', 'By name']] },
  ], () => load());
  const { element, load } = pagedList({
    list: el('ul', { class: 'records' }),
    read: (cursor) => api.listTenants(filters.values(), cursor),
    item: (tenant) => tenantCard(tenant, actionsOn(tenant, { api, workspace, changed })),
    empty: () => 'No tenant fits.',
  });
  load();
  return el('section', { class: 'record-list', 'aria-labelledby': 'tenants-heading' },
    el('header', { class: 'section-header' }, heading,
      workspace.may('createTenant') && el('button', { type: 'button', class: 'button primary', onclick: () => createTenant(api, changed) }, 'Create a tenant')),
    filters.element, element);

  /**
   * Reads the list again, and leaves the focus where the user was working.
   * @param {string} words
   * @param {string | null} id
   */
  async function changed(words, id) {
    await load();
    (document.getElementById(`tenant-${id}`) ?? heading).focus();
    announce(words);
  }
}
