/** @import { LoginRequest, TenantChoice } from './types.d.ts' */
import { el, fill } from '../dom.js';
import { apiForm } from './api-form.js';
import { field } from './field.js';
import { Session } from './session.js';

const PROMISES = [
  ['Shown once', 'Only a hash of a key is kept. Copy the secret when the key is created.'],
  ['As narrow as you like', 'Give each system a key of its own: the scopes it needs, an expiry, the networks it calls from.'],
  ['Rotated without a gap', 'The old key keeps working while you change over to its successor.'],
];

/**
 * @param {object} options
 * @param {boolean} options.demo
 * @param {string | null} options.notice
 * @param {(session: Session) => Promise<void>} options.signedIn
 */
export function signInView({ demo, notice, signedIn }) {
  const email = field('E-mail', '/email', el('input', { type: 'email', name: 'email', autocomplete: 'username', maxlength: 254, spellcheck: 'false' }));
  const password = field('Password', '/password', el('input', { type: 'password', name: 'password', autocomplete: 'current-password', maxlength: 128 }));
  const tenants = el('select', { name: 'tenantSlug' });
  const tenant = field('Tenant', '/tenantSlug', tenants, 'Your e-mail belongs to several. Choose the one to work in.');
  tenant.element.hidden = true;

  // Another e-mail may belong to other tenants.
  email.control.addEventListener('input', () => { tenant.element.hidden = true; });

  const card = el('section', { class: 'card sign-in', 'aria-labelledby': 'sign-in' },
    el('h2', { id: 'sign-in', tabindex: '-1' }, 'Sign in'),
    el('p', { class: 'muted' }, 'Keys are managed by people. You stay signed in until you close or reload this page.'),
    notice && el('p', { class: 'notice warning', role: 'alert' }, notice),
    apiForm({ fields: [email, password, tenant], action: 'Sign in', submit, handle }),
    demo && el('p', { class: 'hint' }, 'Demo installation: the sign-in was printed when the service started, and stands in ', el('code', {}, 'demo.json'), ' of its data directory.'));
  return el('div', { class: 'welcome' }, card, el('ul', { class: 'promises' }, PROMISES.map(([title, text]) => el('li', {}, el('strong', {}, title), text))));

  async function submit() {
    /** @type {LoginRequest} */
    const credentials = { email: value(email).trim(), password: value(password) };
    if (!tenant.element.hidden) credentials.tenantSlug = tenants.value;
    await signedIn(await Session.signIn(credentials));
  }

  /** @param {import('./api-error.js').ApiError} error */
  function handle(error) {
    if (error.code !== 'tenant_selection_required') return false;
    const choices = /** @type {TenantChoice[]} */ (error.problem?.tenants ?? []);
    fill(tenants, choices.map(({ slug, name }) => el('option', { value: slug }, name)));
    tenant.element.hidden = false;
    tenants.focus();
    return true;
  }
}

/** @param {import('./field.js').Field} input */
function value(input) {
  return /** @type {HTMLInputElement} */ (input.control).value;
}
