/**
 * Passwords: changing one's own, and resetting a forgotten one by a mailed link. Rules for a good password and its hash
 * are in server/rules; this module stores former passwords, mails reset links and ends sessions afterwards. No response
 * reveals whether an address has an account.
 *
 * The module may use accounts, login-throttle, sessions, identity and rules.
 *
 * `POST /v1/auth/password-reset`: `requestReset` runs the same statements for known and unknown addresses and answers
 * after a fixed time. The mailed token works once, for thirty minutes; `resetPassword` also asks for the second factor,
 * refuses a former password only after that, ends all sessions of the person and every lock of the account.
 */
import type { Module } from '../../tasks/module.ts';
import type { AuthenticationDependencies } from '../login-throttle/index.ts';
import { passwordHandlers } from './handlers.ts';

export const passwordsModule = {
  name: 'passwords',
  handlers: ({ authentication }: { readonly authentication: AuthenticationDependencies }) =>
    passwordHandlers(authentication),
} satisfies Module<never>;
