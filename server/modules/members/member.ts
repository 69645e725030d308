/**
 * Rules of a member, without input or output: the wire form, who may change which role, and what a patch does to the
 * status. Used by changes, handlers and store of this module. Only an owner makes or unmakes owners; a key never does.
 */
import type { Uuid } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal, Role } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';

export type WireUser = components['schemas']['User'];
export type UserStatus = 'invited' | 'active' | 'locked' | 'deactivated';

/** Member of a tenant, without the person's account. */
export interface UserRecord {
  readonly id: Uuid;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly status: UserStatus;
  /** Whether the person ever accepted an invitation, and can therefore be reactivated without a new one. */
  readonly joined: boolean;
  readonly mfaEnabled: boolean;
  readonly lastLoginAt: string | null;
  readonly invitation: components['schemas']['Invitation'] | null;
  readonly activeSessions: number;
  readonly openCases: number;
  readonly absentUntil: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

/** Returns a member as the contract shows them. */
export function memberToWire({ joined: _, ...user }: UserRecord): WireUser {
  return user;
}

export function pathOfMember(userId: string): string {
  return `/v1/users/${userId}`;
}

/**
 * Rejects a change to or from the role owner unless the caller is an owner. A key cannot make it, whoever created the
 * key.
 */
export function assertMayChangeRole(caller: AnyPrincipal, ...roles: readonly (Role | undefined)[]): void {
  if (!roles.includes('owner') || (caller.kind === 'user' && caller.role === 'owner')) return;
  throw new Problem('role_above_own');
}

export function isSelf(caller: AnyPrincipal, userId: string): boolean {
  return caller.kind === 'user' && caller.userId === userId;
}

type Wanted = Pick<components['schemas']['UserUpdate'], 'status' | 'unlock'>;

export type StatusChange = 'deactivate' | 'reactivate' | 'unlock' | null;

/** Statuses that a patch may set, by `status` or `unlock`. Invited people become active by accepting. */
const ALLOWED: Readonly<Record<UserStatus, readonly UserStatus[]>> = {
  invited: ['deactivated'],
  active: ['deactivated'],
  locked: ['active', 'deactivated'],
  deactivated: ['active'],
};

/** Returns the effect of a patch on the status; null if the patch does not change it. */
export function statusChange(user: Pick<UserRecord, 'status' | 'joined'>, { status, unlock }: Wanted): StatusChange {
  const isMember = user.status === 'active' || user.status === 'locked';
  if (unlock === true && (!isMember || status === 'deactivated')) throw refusal(user);
  if (status === 'deactivated') return user.status === 'deactivated' ? null : 'deactivate';
  if (unlock === true) return 'unlock';
  if (status === undefined || user.status === 'active') return null;
  if (user.status === 'locked') return 'unlock';
  // A person who never joined has to accept an invitation first.
  if (user.status === 'invited' || !user.joined) throw refusal(user);
  return 'reactivate';
}

function refusal({ status, joined }: Pick<UserRecord, 'status' | 'joined'>): Problem {
  return new Problem('invalid_state_transition', {
    currentStatus: status,
    allowedTransitions: status === 'deactivated' && !joined ? ['invited'] : ALLOWED[status],
  });
}
