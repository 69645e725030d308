/** @import { Hands } from './actions.js' */
/** @import { Tenant } from './api.js' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { checkField } from '../app/check-field.js';
import { openDialog } from '../app/dialog.js';
import { field } from '../app/field.js';
import { quotaFields } from './quota-fields.js';

/**
 * @param {Tenant} tenant
 * @param {Hands} hands
 */
export function editQuotas(tenant, { api, changed }) {
  const nameInput = el('input', { type: 'text', name: 'name', maxlength: 120, autocomplete: 'off', value: tenant.name });
  const name = field('Name', '/name', nameInput);
  const planInput = el('input', { type: 'text', name: 'plan', maxlength: 40, autocomplete: 'off', value: tenant.plan });
  const plan = field('Plan', '/plan', planInput);
  const quotas = quotaFields(tenant.quotas);
  const force = checkField({ label: 'Set it anyway', meaning: 'What exists above the quota stays', pointer: '/force' });
  force.element.hidden = true;
  openDialog(`Plan and quotas of ${tenant.name}`, (close) => [apiForm({
    fields: [name, plan, ...quotas.fields, force],
    content: [name.element, plan.element, quotas.element, force.element],
    action: 'Save',
    cancel: close,
    submit: async () => {
      const patch = changes();
      if (Object.keys(patch).length > 0) await api.updateTenant(tenant, patch);
      close();
      changed(`${tenant.name} is saved.`, tenant.id);
    },
    handle: (error) => {
      // Said once; whoever means it says so and saves again.
      if (error.code === 'quota_below_usage') force.element.hidden = false;
      return false;
    },
  })]);

  function changes() {
    const changedQuotas = quotas.changes();
    return {
      ...(nameInput.value.trim() !== tenant.name && { name: nameInput.value.trim() }),
      ...(planInput.value.trim() !== tenant.plan && { plan: planInput.value.trim() }),
      ...(Object.keys(changedQuotas).length > 0 && { quotas: changedQuotas, ...(force.value() && { force: true }) }),
    };
  }
}
