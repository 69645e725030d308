import type { components } from '../../contract/generated/types.ts';
import type { Role } from '../../contract/principal.ts';

export type WireUser = components['schemas']['User'];
export type UserStatus = 'invited' | 'active' | 'locked' | 'deactivated';

/** A person as the tenant knows them: its member, not their account. */
export interface UserRecord {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly status: UserStatus;
  /** Whether they ever came, so that they may come back without being asked. */
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
export function toWire({ joined: _, ...user }: UserRecord): WireUser {
  return { ...user, openCases: 0 };
}

export function pathOf(userId: string): string {
  return `/v1/users/${userId}`;
}
