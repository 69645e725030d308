/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Hands } from './actions.js' */
/** @import { Tenant } from './api.js' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { openDialog } from '../app/dialog.js';
import { field } from '../app/field.js';
import { REASONS } from './reasons.js';

/** @typedef {Schemas['TenantStatusUpdate']} Wanted */

/**
 * @param {Tenant} tenant
 * @param {Wanted['status']} status
 * @param {Hands} hands
 */
export function changeStatus(tenant, status, { api, changed }) {
  const { title, text, action, danger } = wordsOf(tenant, status);
  const reasons = el('select', { name: 'reasonCode' }, REASONS.map(([code, words]) => el('option', { value: code, selected: status === 'active' && code === 'resolved' }, words)));
  const reason = field('Reason', '/reasonCode', reasons);
  const input = el('input', { type: 'text', name: 'note', maxlength: 500, autocomplete: 'off' });
  const note = field('Note', '/note', input, 'May be left empty. Administrators and the audit log see it.');
  openDialog(title, (close) => [
    el('p', {}, text),
    apiForm({
      fields: [reason, note],
      action,
      danger,
      cancel: close,
      submit: async () => {
        const now = await api.replaceTenantStatus(tenant, {
          status, reasonCode: /** @type {Wanted['reasonCode']} */ (reasons.value), ...(input.value.trim() !== '' && { note: input.value.trim() }),
        });
        close();
        changed(outcome(now, status), tenant.id);
      },
    }),
  ]);
}

/**
 * @param {Tenant} tenant
 * @param {Wanted['status']} status
 */
function wordsOf({ name, closure }, status) {
  if (status === 'suspended') return { title: `Suspend ${name}?`, text: 'Every credential of the tenant is refused within five seconds. Nothing is deleted.', action: 'Suspend', danger: true };
  if (status === 'active') return { title: `Reactivate ${name}?`, text: 'Its credentials work again, as far as they have not ended.', action: 'Reactivate', danger: false };
  if (closure === null) return { title: `Ask to close ${name}?`, text: 'A second administrator has to confirm. A closed tenant stays closed.', action: 'Ask to close', danger: true };
  return { title: `Close ${name}?`, text: `${closure.requestedBy.display ?? 'Another administrator'} asked for it. A closed tenant stays closed.`, action: 'Close for good', danger: true };
}

/**
 * @param {Tenant} tenant
 * @param {Wanted['status']} wanted
 */
function outcome({ name, status, closure }, wanted) {
  if (wanted === 'closed' && closure !== null && status !== 'closed') return `A second administrator has to confirm that ${name} is closed.`;
  return `${name} is ${status}.`;
}
