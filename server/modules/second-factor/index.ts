/**
 * The second factor: enrolling an authenticator (TOTP, RFC 6238), removing it, and presenting it again. Secrets, codes
 * and recovery codes are verified in server/identity, because sign-in needs them too. This module has the operations of
 * a signed-in person and the step-up, which the request pipeline requires for operations with `x-step-up`.
 *
 * The module may use accounts, login-throttle, sessions, identity and rules.
 *
 * Enrolment takes two requests: `enrollTotp` confirms the password and returns a sealed, pending secret as a QR code;
 * `confirmTotp` proves with a first code that the authenticator has the secret, returns recovery codes once, and ends
 * the person's other sessions. `stepUpVerifier` accepts a code, or a code that the session has presented in the last
 * five minutes.
 */
import type { Module } from '../../tasks/module.ts';
import type { AuthenticationDependencies } from '../login-throttle/index.ts';
import { secondFactorHandlers } from './handlers.ts';

export { stepUpVerifier } from './step-up.ts';

export const secondFactorModule = {
  name: 'second-factor',
  handlers: ({ authentication }: { readonly authentication: AuthenticationDependencies }) =>
    secondFactorHandlers(authentication),
} satisfies Module<never>;
