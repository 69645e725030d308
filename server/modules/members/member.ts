import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal, Role } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';

export type WireUser = components['schemas']['User'];
export type UserStatus = 'invited' | 'active' | 'locked' | 'deactivated';

/** A person as the tenant knows them: its member, not their account. */
export interface UserRecord {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly status: UserStatus;
  /** Whether they ever accepted an invitation, so that they can be reactivated without a new one. */
  readonly joined: boolean;
  readonly mfaEnabled: boolean;
  readonly lastLoginAt: string | null;
  readonly invitation: components['schemas']['Invitation'] | null;
  readonly activeSessions: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

/** The service keeps no cases yet, so nobody has an open one. */
export function memberToWire({ joined: _, ...user }: UserRecord): WireUser {
  return { ...user, openCases: 0 };
}

export function pathOfMember(userId: string): string {
  return `/v1/users/${userId}`;
}

/** Only an owner makes, changes or removes an owner; a machine, whoever made its key, does not. */
export function assertMayChangeRole(caller: AnyPrincipal, ...roles: readonly (Role | undefined)[]): void {
  if (!roles.includes('owner') || (caller.kind === 'user' && caller.role === 'owner')) return;
  throw new Problem('role_above_own');
}

export function isSelf(caller: AnyPrincipal, userId: string): boolean {
  return caller.kind === 'user' && caller.userId === userId;
}

type Wanted = Pick<components['schemas']['UserUpdate'], 'status' | 'unlock'>;

export type StatusChange = 'deactivate' | 'reactivate' | 'unlock' | null;

/** What may be asked for by status or `unlock`. Invited people become active by accepting. */
const ALLOWED: Readonly<Record<UserStatus, readonly UserStatus[]>> = {
  invited: ['deactivated'], active: ['deactivated'], locked: ['active', 'deactivated'], deactivated: ['active'],
};

/** What a patch does to the status; null when it asks for what is. */
export function statusChange(user: Pick<UserRecord, 'status' | 'joined'>, { status, unlock }: Wanted): StatusChange {
  const here = user.status === 'active' || user.status === 'locked';
  if (unlock === true && (!here || status === 'deactivated')) throw refusal(user);
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
    currentStatus: status, allowedTransitions: status === 'deactivated' && !joined ? ['invited'] : ALLOWED[status],
  });
}
