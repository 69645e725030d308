/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Hands } from './actions.js' */
/** @import { Api } from './api.js' */
import { el } from '../dom.js';
import { apiForm } from '../app/api-form.js';
import { openDialog } from '../app/dialog.js';
import { field } from '../app/field.js';
import { idempotencyKeys } from '../app/idempotency.js';

/**
 * @param {Api} api
 * @param {Hands['changed']} changed
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
