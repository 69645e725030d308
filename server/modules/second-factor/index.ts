/**
 * The second factor: enrolling an authenticator (TOTP, RFC 6238), removing it, and showing it again.
 *
 * Secrets, codes and recovery codes are verified in server/identity, because sign-in needs them too. This module has the
 * operations of a signed-in person and the step-up, which the request pipeline asks for operations with `x-step-up`. It may use
 * accounts, login-throttle, sessions, identity and rules.
 *
 * Enrolment takes two requests: `enrollTotp` confirms the password and returns a sealed, pending secret as a QR code;
 * `confirmTotp` proves with a first code that the authenticator has it, returns recovery codes once, and ends the person's
 * other sessions. `stepUpVerifier` accepts a code, or one that the session has shown in the last five minutes.
 */
import type { Module } from '../../tasks/module.ts';
import type { AuthenticationDependencies } from '../login-throttle/index.ts';
import { secondFactorHandlers } from './handlers.ts';

export { stepUpVerifier } from './step-up.ts';

export const secondFactorModule = {
  name: 'second-factor',
  handlers: ({ authentication }: { readonly authentication: AuthenticationDependencies }) => secondFactorHandlers(authentication),
} satisfies Module<never>;
