/** This module holds what staff of the platform can do with tenants, each action with its dialog. */
import { idempotencyKeys } from '../app/api.js';
import { fact, offered, openDialog, showFailure } from '../app/components.js';
import { apiForm, checkField, field } from '../app/form.js';
import { relativeTime } from '../app/format.js';
import { el, fill } from '../dom.js';
/** @import { Action } from '../app/components.js' */
/** @import { Field } from '../app/form.js' */
/** @import { Workspace } from '../app/navigation.js' */
/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Api, Tenant, TenantDetail } from './api.js' */

/** @type {readonly (readonly [Schemas['TenantStatusUpdate']['reasonCode'], string])[]} */
const REASONS = [
  ['security_incident', 'Security incident'], ['terms_violation', 'Breach of the terms'], ['payment_overdue', 'Payment overdue'],
  ['regulator_order', 'Order of a regulator'], ['customer_request', 'Wish of the customer'], ['resolved', 'Resolved'], ['other', 'Other'],
];

/** @param {string} code */
export function reasonWords(code) {
  return REASONS.find(([reason]) => reason === code)?.[1] ?? code;
}

/** @typedef {keyof Schemas['TenantQuotas']} Quota */

/** @type {readonly (readonly [Quota, string])[]} */
const QUOTAS = [
  ['users', 'Users'], ['apiKeys', 'API keys'], ['applicationsPerMonth', 'Applications a month'], ['screeningsPerDay', 'Screenings a day'],
  ['storageGb', 'Storage, GiB'], ['ratePerMinute', 'Requests a minute'],
];

/**
 * One number for each quota.
 * @param {Readonly<Record<Quota, number>>} quotas
 */
function quotaFields(quotas) {
  const inputs = QUOTAS.map(([name]) => el('input', { type: 'number', name, min: 0, step: 1, value: quotas[name] }));
  /** @type {Field[]} */
  const fields = QUOTAS.map(([name, label], index) => field(label, `/quotas/${name}`, /** @type {HTMLInputElement} */ (inputs[index])));
  return {
    fields,
    element: el('div', { class: 'pair' }, fields.map(({ element }) => element)),
    /** Those that were changed. @returns {Partial<Record<Quota, number>>} */
    changes: () => Object.fromEntries(QUOTAS.flatMap(([name], index) => {
      const value = inputs[index]?.valueAsNumber ?? Number.NaN;
      return value === quotas[name] ? [] : [[name, Number.isNaN(value) ? null : value]];
    })),
  };
}

/**
 * @param {Tenant} tenant
 * @param {ActionContext} context
 */
function editQuotas(tenant, { api, changed }) {
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

/** @typedef {Schemas['TenantStatusUpdate']} Wanted */

/**
 * @param {Tenant} tenant
 * @param {Wanted['status']} status
 * @param {ActionContext} context
 */
function changeStatus(tenant, status, { api, changed }) {
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

/**
 * The audit chain of a tenant, what it stores, and how late the jobs of the service are.
 * @param {Tenant} tenant
 * @param {ActionContext} context
 */
function showHealth({ id, name }, { api }) {
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

/**
 * @param {Api} api
 * @param {ActionContext['changed']} changed
 */
export function createTenant(api, changed) {
  const name = el('input', { type: 'text', name: 'name', maxlength: 120, autocomplete: 'off', placeholder: 'Fintech Aurora', oninput: suggest });
  const slug = el('input', { type: 'text', name: 'slug', maxlength: 40, autocomplete: 'off', spellcheck: 'false', placeholder: 'aurora' });
  const email = el('input', { type: 'email', name: 'ownerEmail', maxlength: 254, autocomplete: 'off', spellcheck: 'false' });
  const owner = el('input', { type: 'text', name: 'ownerName', maxlength: 120, autocomplete: 'off' });
  const locale = el('select', { name: 'locale' }, [['en', 'English'], ['pt-BR', 'Portuguese (Brazil)'], ['es', 'Spanish']].map(([value, words]) => el('option', { value }, words)));
  const keyFor = idempotencyKeys();
  openDialog('Create a tenant', (close) => [
    el('p', { class: 'muted' }, 'It begins in the sandbox. Its owner gets an invitation, and takes it live when the checklist is done.'),
    apiForm({
      fields: [
        field('Name', '/name', name), field('Slug', '/slug', slug, 'A short name for addresses: small letters, digits, hyphens.'),
        field('E-mail of the owner', '/ownerEmail', email), field('Name of the owner', '/ownerName', owner, 'May be left empty.'),
        field('Language of its mails', '/locale', locale),
      ],
      action: 'Create and invite',
      cancel: close,
      submit: async () => {
        const body = {
          name: name.value.trim(), slug: slug.value.trim(), ownerEmail: email.value.trim(), locale: /** @type {Schemas['TenantCreate']['locale']} */ (locale.value),
          ...(owner.value.trim() !== '' && { ownerName: owner.value.trim() }),
        };
        const { tenant, ownerInvitation } = await api.createTenant(body, keyFor(body));
        close();
        changed(`${tenant.name} is created, and ${ownerInvitation.email} is invited.`, tenant.id);
      },
    }),
  ]);

  /** As long as nobody chose another slug. */
  function suggest() {
    if (slug.dataset.suggested !== undefined && slug.dataset.suggested !== slug.value) return;
    if (slug.value !== '' && slug.dataset.suggested === undefined) return;
    slug.value = name.value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 40);
    slug.dataset.suggested = slug.value;
  }
}

/**
 * @typedef {object} ActionContext
 * @property {Api} api
 * @property {Workspace} workspace
 * @property {(words: string, id: string | null) => void} changed
 */

/**
 * @param {Tenant} tenant
 * @param {ActionContext} context
 * @returns {Action[]}
 */
export function actionsOn(tenant, context) {
  const { status, closure } = tenant;
  const may = context.workspace.may('replaceTenantStatus');
  const own = closure?.requestedBy.id === context.workspace.current.user.id;
  return offered([
    { label: 'Health', run: () => showHealth(tenant, context) },
    context.workspace.may('updateTenant') && status !== 'closed' && { label: 'Plan and quotas', run: () => editQuotas(tenant, context) },
    may && status === 'suspended' && { label: 'Reactivate', run: () => changeStatus(tenant, 'active', context) },
    may && (status === 'active' || status === 'onboarding') && { label: 'Suspend', danger: true, run: () => changeStatus(tenant, 'suspended', context) },
    may && status !== 'closed' && !own && { label: closure === null ? 'Close' : 'Confirm closing', danger: true, run: () => changeStatus(tenant, 'closed', context) },
  ]);
}
