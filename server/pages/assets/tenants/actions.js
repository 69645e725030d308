/** @import { Action } from '../app/card.js' */
/** @import { Workspace } from '../app/workspace.js' */
/** @import { Api, Tenant } from './api.js' */
import { offered } from '../app/card.js';
import { showHealth } from './health.js';
import { editQuotas } from './quotas.js';
import { changeStatus } from './status.js';

/**
 * @typedef {object} Hands
 * @property {Api} api
 * @property {Workspace} workspace
 * @property {(words: string, id: string | null) => void} changed
 */

/**
 * @param {Tenant} tenant
 * @param {Hands} hands
 * @returns {Action[]}
 */
export function actionsOn(tenant, hands) {
  const { status, closure } = tenant;
  const may = hands.workspace.may('replaceTenantStatus');
  const own = closure?.requestedBy.id === hands.workspace.current.user.id;
  return offered([
    { label: 'Health', run: () => showHealth(tenant, hands) },
    hands.workspace.may('updateTenant') && status !== 'closed' && { label: 'Plan and quotas', run: () => editQuotas(tenant, hands) },
    may && status === 'suspended' && { label: 'Reactivate', run: () => changeStatus(tenant, 'active', hands) },
    may && (status === 'active' || status === 'onboarding') && { label: 'Suspend', danger: true, run: () => changeStatus(tenant, 'suspended', hands) },
    may && status !== 'closed' && !own && { label: closure === null ? 'Close' : 'Confirm closing', danger: true, run: () => changeStatus(tenant, 'closed', hands) },
  ]);
}
