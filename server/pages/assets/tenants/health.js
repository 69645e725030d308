/** @import { Hands } from './actions.js' */
/** @import { Tenant, TenantDetail } from './api.js' */
import { el, fill } from '../dom.js';
import { fact } from '../app/card.js';
import { openDialog } from '../app/dialog.js';
import { showFailure } from '../app/failure.js';
import { relativeTime } from '../app/time.js';

/**
 * The audit chain of a tenant, what it stores, and how late the jobs of the service are.
 * @param {Tenant} tenant
 * @param {Hands} hands
 */
export function showHealth({ id, name }, { api }) {
  const part = el('div', { class: 'stack', 'aria-busy': 'true' });
  openDialog(`Health of ${name}`, () => [part], { wide: true });
  showFailure(part, async () => {
    fill(part, ...health(await api.getTenant(id)));
  }).finally(() => part.removeAttribute('aria-busy'));
}

/** @param {TenantDetail} tenant */
function health({ auditChain: { sequence, checkpointedSequence, hash }, usage, quotas, jobs }) {
  return [
    el('dl', { class: 'facts detail' },
      fact('Audit events', `${sequence.toLocaleString('en-GB')}, ${checkpointedSequence.toLocaleString('en-GB')} of them under a checkpoint`),
      fact('Stored', `${(usage.storageBytes / 2 ** 30).toLocaleString('en-GB', { maximumFractionDigits: 2 })} of ${quotas.storageGb} GiB`),
      fact('End of its chain', el('code', {}, hash))),
    el('h3', {}, 'Jobs of the service'),
    el('table', { class: 'table' },
      el('thead', {}, el('tr', {}, ['Job', 'Last success', 'Late'].map((words) => el('th', { scope: 'col' }, words)))),
      el('tbody', {}, jobs.map(({ name, lastSuccessAt, lagSeconds }) => el('tr', {},
        el('th', { scope: 'row' }, name),
        el('td', { 'data-label': 'Last success' }, lastSuccessAt === null ? 'Never' : relativeTime(lastSuccessAt)),
        el('td', { 'data-label': 'Late' }, lagSeconds === null ? 'Unknown' : lagSeconds === 0 ? 'On time' : `${lagSeconds.toLocaleString('en-GB')} s`))))),
  ];
}
