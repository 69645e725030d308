/** This module is the sign-in page: e-mail and password, the tenant and the second factor. */
import { request } from '../app/api.js';
import { secondFactor } from '../app/credential-fields.js';
import { apiForm, field } from '../app/form.js';
import { el, fill } from '../dom.js';
/** @import { ApiError } from '../app/api.js' */
/** @import { LoginRequest, TenantChoice, TokenPair } from '../app/types.d.ts' */

const PROMISES = [
  ['One sign-in for everything', 'API keys, team, sandbox and audit log, as far as your role reaches.'],
  ['Stays in this page', 'What signs you in is held in memory only. Closing or reloading the page signs you out.'],
  ['Written down', 'Each sign-in, also a refused one, is an entry of the audit log, which nobody can change unnoticed.'],
];

/**
 * @param {object} options
 * @param {boolean} options.demo
 * @param {string | null} options.notice
 * @param {(tokens: TokenPair) => Promise<void>} options.signedIn
 */
export function signInView({ demo, notice, signedIn }) {
  const email = field('E-mail', '/email', el('input', { type: 'email', name: 'email', autocomplete: 'username', maxlength: 254, spellcheck: 'false' }));
  const password = field('Password', '/password', el('input', { type: 'password', name: 'password', autocomplete: 'current-password', maxlength: 128 }));
  const tenants = el('select', { name: 'tenantSlug' });
  const tenant = field('Tenant', '/tenantSlug', tenants, 'Your e-mail belongs to several. Choose the one to work in.');
  tenant.element.hidden = true;
  const factor = secondFactor();

  // Another e-mail may belong to other tenants, and to a person without a second factor.
  email.control.addEventListener('input', () => {
    tenant.element.hidden = true;
    factor.hide();
  });

  const card = el('section', { class: 'card sign-in', 'aria-labelledby': 'sign-in' },
    el('h2', { id: 'sign-in', tabindex: '-1' }, 'Sign in'),
    notice && el('p', { class: 'notice warning', role: 'alert' }, notice),
    apiForm({
      fields: [email, password, tenant, ...factor.fields],
      content: [email.element, password.element, tenant.element, factor.element],
      action: 'Sign in', submit, handle,
    }),
    el('p', {}, el('a', { href: '/forgot' }, 'Forgot your password?')),
    demo && el('p', { class: 'hint' }, 'Demo installation: the sign-in was printed when the service started, and stands in ', el('code', {}, 'demo.json'), ' of its data directory.'));
  return el('div', { class: 'welcome' }, card, el('ul', { class: 'promises' }, PROMISES.map(([title, text]) => el('li', {}, el('strong', {}, title), text))));

  async function submit() {
    /** @type {LoginRequest} */
    const credentials = { email: value(email).trim(), password: value(password), ...factor.value() };
    if (!tenant.element.hidden) credentials.tenantSlug = tenants.value;
    await signedIn(/** @type {TokenPair} */ (await request('POST', '/v1/auth/login', { body: credentials })));
  }

  /** @param {ApiError} error */
  function handle(error) {
    if (error.code !== 'tenant_selection_required') return factor.handle(error);
    const choices = /** @type {TenantChoice[]} */ (error.problem?.tenants ?? []);
    fill(tenants, choices.map(({ slug, name }) => el('option', { value: slug }, name)));
    tenant.element.hidden = false;
    tenants.focus();
    return true;
  }
}

/** @param {import('../app/form.js').Field} input */
function value(input) {
  return /** @type {HTMLInputElement} */ (input.control).value;
}
