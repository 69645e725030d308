/**
 * The login throttle: how often somebody may be wrong about a password or a code.
 *
 * Failures are counted by keyed hashes of address, session, person and network, so that the table names nobody. The sign-in
 * (`SignInThrottle`) tells strangers from the person at a place they signed in from before: strangers can lock an account for
 * strangers, not for its owner. Everything that happens with a session or a mailed link in hand counts
 * in a `Throttle` of its own. This module may use accounts, identity, database and rules.
 *
 * Every check takes the same steps: `refusal` before the slow work (no hash is computed for a locked account), the password
 * or the code is verified, then, in a transaction, `enter` locks the counters and `succeed` or `countFailure` follows, so that
 * parallel guesses are judged one after the other. `confirmPassword` is all of this for a person at an open session.
 */
import type { Module } from '../../tasks/module.ts';

export { confirmPassword, countFailure } from './confirm-password.ts';
export { authenticationDependencies, type AuthenticationDependencies } from './dependencies.ts';
export { forgottenBefore } from './lockout.ts';
export { purgeKnownLocations, SignInLocation, SignInThrottle } from './sign-in-throttle.ts';
export { clearFailuresOf, forgetFailures, showLockedUntil } from './store.ts';
export { accountKey, invitationThrottle, resetThrottle, sessionThrottle, Throttle } from './throttle.ts';

export const loginThrottleModule = { name: 'login-throttle' } satisfies Module<never>;
