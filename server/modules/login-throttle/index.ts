/**
 * The login throttle: limits on wrong passwords and codes.
 *
 * Failures are counted by keyed hashes of address, session, person and network, so that the table identifies no person.
 * The sign-in (`SignInThrottle`) distinguishes strangers from the person at a place where the person has signed in
 * before: strangers can lock an account for strangers, not for its owner. Attempts with an open session or a mailed
 * link count in a separate `Throttle`. This module may use accounts, identity, database and rules.
 *
 * Every check takes the same steps: `refusal` before the slow work (no hash is computed for a locked account), the
 * password or the code is verified, then, in a transaction, `enter` locks the counters and `succeed` or
 * `countFailure` follows, so that parallel guesses are judged one after another. `confirmPassword` takes all these
 * steps for a person with an open session.
 */
import type { Module } from '../../tasks/module.ts';

export { confirmPassword, countFailure } from './confirm-password.ts';
export { authenticationDependencies, type AuthenticationDependencies } from './dependencies.ts';
export { forgottenBefore } from './lockout.ts';
export { purgeKnownLocations, SignInLocation, SignInThrottle } from './sign-in-throttle.ts';
export { clearFailuresOf, forgetFailures, showLockedUntil } from './store.ts';
export { accountKey, invitationThrottle, resetThrottle, sessionThrottle, Throttle } from './throttle.ts';

export const loginThrottleModule = { name: 'login-throttle' } satisfies Module<never>;
