/**
 * Accounts: people with one password, and their memberships in tenants.
 *
 * A person has one account, found by the normalised e-mail address, and a membership with a role in every tenant
 * they work for. Password and second factor belong to the account, so events about them are recorded in each of
 * its tenants. This module reads and writes `user_account` and `membership`; it decides nothing about sign-in,
 * sessions or invitations, which are modules above it. It may use tenant-settings (for the security policy),
 * identity, database and rules.
 *
 * An invitation, for example: `addPerson` finds or creates the account of an address without revealing which it
 * did; `inviteMember` creates the membership; after the invited person has chosen a password, `activateAccount`
 * stores its hash, `joinTenant` activates the membership, and `recordPublicEvent` writes the event, because the
 * caller has no session yet.
 */
import type { Module } from '../../tasks/module.ts';

export {
  absenceOf,
  recordAbsence,
  addPerson,
  changeMembership,
  createUser,
  inviteMember,
  joinTenant,
  lockIdleMembers,
  lockMembership,
  recordMemberSignIn,
  unlockMembership,
} from './membership-store.ts';
export {
  auditSubjectOf,
  canSignIn,
  identityOf,
  mailTo,
  type Member,
  type Person,
  personOf,
  recordInEveryTenant,
  recordPublicEvent,
  type RequestOrigin,
  securityPolicy,
  type SecurityPolicy,
  weaknessesFor,
} from './person.ts';
export {
  type Account,
  activateAccount,
  findAccount,
  findAccountById,
  findInvited,
  findMember,
  findMemberEmail,
  type Membership,
  recordSignIn,
  replacePasswordHash,
  type User,
} from './store.ts';

export const accountsModule = { name: 'accounts' } satisfies Module<never>;
