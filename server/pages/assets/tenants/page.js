/** This module is the tenants page, on which staff of the platform administer tenants. */
import { announce, fact, recordCard } from '../app/components.js';
import { calendarDate, relativeTime } from '../app/format.js';
import { filterRow, pagedList } from '../app/list.js';
import { el } from '../dom.js';
import { actionsOn, createTenant, reasonWords } from './actions.js';
import { Api } from './api.js';
/** @import { Action } from '../app/components.js' */
/** @import { Workspace } from '../app/navigation.js' */
/** @import { Tenant } from './api.js' */

/** @type {Readonly<Record<string, string>>} */
const STATUS = { onboarding: 'Onboarding', active: 'Active', suspended: 'Suspended', closed: 'Closed' };

/**
 * @param {Tenant} tenant
 * @param {Action[]} actions
 */
function tenantCard(tenant, actions) {
  const { id, name, slug, status, statusReason, closure, quotas, usage, region, plan, createdAt, goLiveAt } = tenant;
  return el('li', {}, recordCard({
    id: `tenant-${id}`,
    title: name,
    badges: [[status, STATUS[status] ?? status]],
    subtitle: el('code', {}, slug),
    facts: [
      fact('Plan', `${plan}, in ${region}`),
      fact('Users', ofQuota(usage.users, quotas.users)),
      fact('API keys', ofQuota(usage.apiKeys, quotas.apiKeys)),
      fact('Applications this month', ofQuota(usage.applicationsThisMonth, quotas.applicationsPerMonth)),
      fact('Created', calendarDate(createdAt)),
      fact('Live', goLiveAt !== null ? ['since ', calendarDate(goLiveAt)] : status === 'onboarding' ? 'Not yet' : 'From the start'),
    ],
    more: [
      statusReason !== null && status !== 'active' && el('p', { class: 'notice warning' },
        `${STATUS[status] ?? status} by ${statusReason.by.display ?? statusReason.by.type}, `, relativeTime(statusReason.at), `: ${reasonWords(statusReason.code)}${statusReason.note === null ? '' : `. ${statusReason.note}`}`),
      closure !== null && el('p', { class: 'notice warning' },
        `${closure.requestedBy.display ?? 'An administrator'} wants to close it, `, relativeTime(closure.requestedAt), `: ${reasonWords(closure.reasonCode)}. A second administrator has to confirm.`),
    ],
    actions,
  }));
}

/**
 * @param {number} used
 * @param {number} quota
 */
function ofQuota(used, quota) {
  return `${used.toLocaleString('en-GB')} of ${quota.toLocaleString('en-GB')}`;
}

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
