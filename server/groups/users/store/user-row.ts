import type { Knex } from 'knex';
import type { Role } from '../../../contract/principal.ts';
import { knex, sql, type Fragment, type Parameter } from '../../../database/index.ts';
import type { UserRecord, UserStatus } from '../user.ts';

export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly status: UserStatus;
  readonly joined: boolean;
  readonly mfa_enabled: boolean;
  readonly last_login_at: string | null;
  readonly invitation_id: string | null;
  readonly sent_at: string;
  readonly expires_at: string;
  readonly invited_by: NonNullable<UserRecord['invitation']>['invitedBy'];
  readonly active_sessions: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
}

/** What the tenant calls a person goes before what they call themselves. */
export const NAME = sql`coalesce(m.name, u.name)`;
/** A member is locked for long absence, or like everybody with this account for a while after wrong passwords. */
export const statusAt = (now: Date | Parameter): Fragment => sql`CASE WHEN m.status = 'active' AND u.locked_until > ${now} THEN 'locked' ELSE m.status END`;

/** Seen only of those who may come in: of a person who was merely invited, nothing is told that they did not say here. */
export const HAS_FACTOR = sql`(f.confirmed_at IS NOT NULL AND m.status IN ('active', 'locked'))`;

const JOINED = sql`(EXISTS (SELECT FROM invitation a WHERE a.tenant_id = m.tenant_id AND a.user_id = m.user_id AND a.accepted_at IS NOT NULL)
  OR NOT EXISTS (SELECT FROM invitation n WHERE n.tenant_id = m.tenant_id AND n.user_id = m.user_id)) AS joined`;
const activeSessions = (now: Date | Parameter): Fragment => sql`(SELECT count(*) FROM session s WHERE s.tenant_id = m.tenant_id AND s.user_id = m.user_id AND s.ended_at IS NULL
  AND s.absolute_expires_at > ${now} AND s.last_seen_at + s.idle_seconds * interval '1 second' > ${now}) AS active_sessions`;

/** The members of a tenant, from the table that its id leads to. Of either role: whose members are meant is always said. */
export function members(tenantId: string | Parameter, now: Date | Parameter): Knex.QueryBuilder {
  return knex('membership as m')
    .join('user_account as u', 'u.id', 'm.user_id')
    .leftJoin('user_totp as f', 'f.user_id', 'm.user_id')
    .leftJoin('invitation as i', (on) => on.on('i.tenant_id', 'm.tenant_id').andOn('i.user_id', 'm.user_id').andOnNull('i.accepted_at').andOnNull('i.revoked_at'))
    .where(sql`m.tenant_id = ${tenantId}`)
    .select(
      'm.user_id as id', 'u.email', sql`${NAME} AS name`, 'm.role', sql`${statusAt(now)} AS status`, JOINED,
      sql`${HAS_FACTOR} AS mfa_enabled`, 'm.last_login_at',
      'i.id as invitation_id', 'i.sent_at', 'i.expires_at', 'i.invited_by',
      activeSessions(now), 'm.created_at', 'm.updated_at', 'm.version',
    );
}

export function toRecord(row: UserRow): UserRecord {
  return {
    id: row.id, email: row.email, name: row.name, role: row.role, status: row.status, joined: row.joined,
    mfaEnabled: row.mfa_enabled, lastLoginAt: row.last_login_at,
    invitation: row.invitation_id === null
      ? null
      : { id: row.invitation_id, sentAt: row.sent_at, expiresAt: row.expires_at, invitedBy: row.invited_by },
    activeSessions: row.active_sessions, createdAt: row.created_at, updatedAt: row.updated_at, version: row.version,
  };
}
