/**
 * Sign-in with e-mail address, password and second factor. The module combines accounts, login-throttle and sessions,
 * which it may use together with the mail quota of invitations, for cleaning up. Every failure gives the same answer
 * after the same work, and no database connection is in use while the password is hashed.
 *
 * `POST /v1/auth/login`: `signIn` checks the throttle, verifies the password (against a decoy if there is no account),
 * then in one transaction enters the throttle, verifies the second factor last because its code works once, and opens
 * the session. The purges delete counters, unfinished enrolments and sessions that ended long ago.
 */
import type { Module } from '../../tasks/module.ts';
import type { AuthenticationDependencies } from '../login-throttle/index.ts';
import { signInHandlers } from './handlers.ts';
import { jobs } from './jobs.ts';

export const signInModule = {
  name: 'sign-in',
  handlers: ({ authentication }: { readonly authentication: AuthenticationDependencies }) =>
    signInHandlers(authentication),
  jobs,
} satisfies Module<never>;
