/** @import { Action } from '../app/card.js' */
/** @import { Tenant } from './api.js' */
import { el } from '../dom.js';
import { fact, recordCard } from '../app/card.js';
import { calendarDate, relativeTime } from '../app/time.js';
import { reasonWords } from './reasons.js';

/** @type {Readonly<Record<string, string>>} */
const STATUS = { onboarding: 'Onboarding', active: 'Active', suspended: 'Suspended', closed: 'Closed' };

/**
 * @param {Tenant} tenant
 * @param {Action[]} actions
 */
export function tenantCard(tenant, actions) {
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
