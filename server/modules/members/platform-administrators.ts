/**
 * Adds, removes and resets administrators of the platform. Called, through the index, by the command
 * scripts/platform-admin.ts; no operation of the API does this. Every change is audited in the platform's chain under
 * the user of the command line.
 */
import type { RealTime } from '../../base/time.ts';
import { appendAudit } from '../../audit/chain.ts';
import type { AuditAction } from '../../contract/generated/audit-actions.ts';
import type { Database, Transaction } from '../../database/index.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import { removeSecondFactors as resetMfa } from '../../identity/second-factor.ts';
import { normalEmail } from '../../rules/email-address.ts';
import { invite, revokeInvitation } from '../invitations/index.ts';
import { endSessions, endSessionsOfPerson } from '../sessions/index.ts';
import type { UserRecord } from './member.ts';
import { lockSeatTerms } from './seat-store.ts';
import { findMemberId, findUser, updateMember } from './store.ts';

/**
 * Context of a command that changes the platform's staff. The API has no operation for this, so that no caller can be
 * tricked into calling one.
 */
export interface CommandLineContext {
  readonly database: Database;
  readonly now: RealTime;
  /** User at the command line, for the platform's audit chain. */
  readonly operator: string;
}

type AdministratorAdded =
  | { readonly outcome: 'created' | 'resent' | 'reactivated'; readonly token: string; readonly expiresAt: Date }
  | { readonly outcome: 'member' };

/** Invites an administrator of the platform. Inviting the same person again invalidates the first link. */
export function addAdministrator(
  outside: CommandLineContext,
  { email, name }: { email: string; name: string },
): Promise<AdministratorAdded> {
  return asPlatform(outside, async (tx, actor) => {
    const result = await invite(tx, {
      tenantId: PLATFORM_TENANT_ID,
      email,
      name,
      role: 'platform_admin',
      invitedBy: actor,
      now: outside.now,
    });
    if (result.outcome === 'member') return { outcome: 'member' };
    const { outcome, token, user } = result;
    const { id, expiresAt } = result.invitation;
    const changes = [
      { op: 'add' as const, path: '/role', value: 'platform_admin' },
      { op: 'add' as const, path: '/invitationId', value: id },
    ];
    record(tx, outside, { action: 'user.invited', userId: user.id, changes });
    return { outcome, token, expiresAt };
  });
}

/** Deactivates an administrator and ends their sessions. Returns false if no administrator has this address. */
export function removeAdministrator(outside: CommandLineContext, email: string): Promise<boolean> {
  return withAdministrator(outside, email, async (tx, { id, invitation }) => {
    if (invitation !== null) await revokeInvitation(tx, PLATFORM_TENANT_ID, invitation.id, outside.now);
    await updateMember(
      tx,
      { tenantId: PLATFORM_TENANT_ID, userId: id, now: outside.now },
      { name: null, role: 'platform_admin', status: 'deactivated' },
    );
    await endSessions(tx, {
      tenantId: PLATFORM_TENANT_ID,
      userId: id,
      reason: 'deactivated',
      now: outside.now,
    });
    record(tx, outside, { action: 'user.deactivated', userId: id });
  });
}

/**
 * Resets the second factor of an administrator who lost authenticator and recovery codes. They enrol again at sign-in.
 */
export function resetAdministrator(outside: CommandLineContext, email: string): Promise<boolean> {
  return withAdministrator(outside, email, async (tx, { id }) => {
    await Promise.all([
      resetMfa(tx, id),
      endSessionsOfPerson(tx, { userId: id, reason: 'mfa_changed', now: outside.now }),
    ]);
    record(tx, outside, { action: 'user.mfa_reset', userId: id });
  });
}

async function withAdministrator(
  outside: CommandLineContext,
  email: string,
  work: (tx: Transaction, administrator: UserRecord) => Promise<void>,
): Promise<boolean> {
  return asPlatform(outside, async (tx) => {
    await lockSeatTerms(tx, PLATFORM_TENANT_ID);
    const id = await findMemberId(tx, PLATFORM_TENANT_ID, normalEmail(email));
    const administrator = id === null ? null : await findUser(tx, PLATFORM_TENANT_ID, id, outside.now);
    if (administrator === null || administrator.status === 'deactivated') return false;
    await work(tx, administrator);
    return true;
  });
}

type Actor = ReturnType<typeof actorOf>;

function asPlatform<T>(outside: CommandLineContext, work: (tx: Transaction, actor: Actor) => Promise<T>): Promise<T> {
  return outside.database.platform({ tenantId: PLATFORM_TENANT_ID }, (tx) => work(tx, actorOf(outside)));
}

function actorOf({ operator }: CommandLineContext) {
  return { type: 'system', id: 'command_line', display: `Command line (${operator})`.slice(0, 120) } as const;
}

interface AdministratorEvent {
  readonly action: AuditAction & `user.${string}`;
  readonly userId: string;
  readonly changes?: { op: 'add'; path: string; value: string }[];
}

function record(
  tx: Transaction,
  outside: CommandLineContext,
  { action, userId, changes = [] }: AdministratorEvent,
): void {
  appendAudit(tx, {
    occurredAt: outside.now.toISOString(),
    environment: 'live',
    actor: { ...actorOf(outside), impersonatorId: null },
    action,
    resource: { type: 'user', id: userId },
    outcome: 'success',
    changes,
  });
}
