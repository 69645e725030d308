import type { Knex } from 'knex';
import type { Role } from '../../contract/operation.ts';
import { type Fragment, knex, type Parameter, sql, statement, type Transaction } from '../../database/index.ts';
import type { Position } from '../../request/pagination.ts';
import type { UserRecord, UserStatus } from './member.ts';

interface UserRow {
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
const NAME = sql`coalesce(m.name, u.name)`;
/** A member is locked for long absence, or like everybody with this account for a while after wrong passwords. */
export const statusAt = (now: Date | Parameter): Fragment => sql`CASE WHEN m.status = 'active' AND u.locked_until > ${now} THEN 'locked' ELSE m.status END`;

/** Seen only of those who may come in: of a person who was merely invited, nothing is told that they did not say here. */
const HAS_FACTOR = sql`(f.confirmed_at IS NOT NULL AND m.status IN ('active', 'locked'))`;

const JOINED = sql`(EXISTS (SELECT FROM invitation a WHERE a.tenant_id = m.tenant_id AND a.user_id = m.user_id AND a.accepted_at IS NOT NULL)
  OR NOT EXISTS (SELECT FROM invitation n WHERE n.tenant_id = m.tenant_id AND n.user_id = m.user_id)) AS joined`;
const activeSessions = (now: Date | Parameter): Fragment => sql`(SELECT count(*) FROM session s WHERE s.tenant_id = m.tenant_id AND s.user_id = m.user_id AND s.ended_at IS NULL
  AND s.absolute_expires_at > ${now} AND s.last_seen_at + s.idle_seconds * interval '1 second' > ${now}) AS active_sessions`;

/** The members of a tenant, from the table that its id leads to. Of either role: whose members are meant is always said. */
function membersQuery(tenantId: string | Parameter, now: Date | Parameter): Knex.QueryBuilder {
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

function memberOf(row: UserRow): UserRecord {
  return {
    id: row.id, email: row.email, name: row.name, role: row.role, status: row.status, joined: row.joined,
    mfaEnabled: row.mfa_enabled, lastLoginAt: row.last_login_at,
    invitation: row.invitation_id === null
      ? null
      : { id: row.invitation_id, sentAt: row.sent_at, expiresAt: row.expires_at, invitedBy: row.invited_by },
    activeSessions: row.active_sessions, createdAt: row.created_at, updatedAt: row.updated_at, version: row.version,
  };
}

const findMember = statement<{ tenantId: string; userId: string; now: Date }, UserRow>('user.find', (p) =>
  membersQuery(p.tenantId, p.now).where({ 'm.user_id': p.userId }));

/** A member of the tenant; null for everybody else. */
export async function findUser(tx: Transaction, tenantId: string, userId: string, now: Date): Promise<UserRecord | null> {
  const [row] = await tx.run(findMember, { tenantId, userId, now });
  return row === undefined ? null : memberOf(row);
}

/** What the tenant is called and how many may work for it. */
export interface SeatTerms {
  readonly name: string;
  /** Null: as many as come. */
  readonly seats: number | null;
}

const lockTenant = statement<{ tenantId: string }, SeatTerms>('user.lockTenant', (p) =>
  knex('tenant').where({ id: p.tenantId }).select('name', sql`(quotas->>'users')::integer AS seats`).forNoKeyUpdate());

const countSeats = statement<{ tenantId: string; except: string | null; now: Date }, { count: number }>('user.countSeats', (p) =>
  knex('membership as m').where({ 'm.tenant_id': p.tenantId }).where(sql`m.user_id IS DISTINCT FROM ${p.except}::uuid`)
    .where(sql`(m.status IN ('active', 'locked') OR m.status = 'invited' AND EXISTS (SELECT FROM invitation i
      WHERE i.tenant_id = m.tenant_id AND i.user_id = m.user_id AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > ${p.now}))`)
    .count('* as count'));

const otherOwners = statement<{ tenantId: string; userId: string }, { count: number }>('user.otherOwners', (p) =>
  knex('membership').where({ tenant_id: p.tenantId, role: 'owner', status: 'active' }).where(sql`user_id <> ${p.userId}`).count('* as count'));

const update = statement<{ tenantId: string; userId: string; name: string | null; role: string; status: string | null; now: Date }>('user.update', (p) =>
  knex('membership').where({ tenant_id: p.tenantId, user_id: p.userId }).update({
    name: sql`coalesce(${p.name}::text, name)`, role: p.role, status: sql`coalesce(${p.status}::text, status)`, updated_at: p.now, version: sql`version + 1`,
  }), { expectRows: 1 });

const setName = statement<{ tenantId: string; userId: string; name: string }>('user.callBy', (p) =>
  knex('membership').where({ tenant_id: p.tenantId, user_id: p.userId }).update({ name: p.name }), { expectRows: 1 });

const byEmail = statement<{ tenantId: string; email: string }, { id: string }>('user.byEmail', (p) =>
  knex('user_account as u').join('membership as m', 'm.user_id', 'u.id').select('u.id')
    .where({ 'm.tenant_id': p.tenantId, 'u.email_normalised': p.email }));

const findOtherTenants = statement<{ tenantId: string; userId: string }, { tenant_id: string }>('user.elsewhere', (p) =>
  knex('membership').select('tenant_id').where({ user_id: p.userId }).whereIn('status', ['active', 'locked'])
    .where(sql`tenant_id <> ${p.tenantId}`).orderBy('tenant_id'));

/**
 * Changes of a tenant's members come one after the other from here to the end of the transaction, so that two of them
 * cannot both take the last seat, or the last owner's place.
 */
export async function lockSeatTerms(tx: Transaction, tenantId: string): Promise<SeatTerms> {
  return (await tx.run(lockTenant, { tenantId }))[0] as SeatTerms;
}

/** Members and open invitations, without this person's. */
export async function countSeatsTaken(tx: Transaction, tenantId: string, except: string | null, now: Date): Promise<number> {
  return (await tx.run(countSeats, { tenantId, except, now }))[0]?.count ?? 0;
}

export async function hasOtherOwner(tx: Transaction, tenantId: string, userId: string): Promise<boolean> {
  return ((await tx.run(otherOwners, { tenantId, userId }))[0]?.count ?? 0) > 0;
}

/** Null leaves it. */
interface MemberChange {
  readonly name: string | null;
  readonly role: Role;
  readonly status: 'active' | 'deactivated' | null;
}

export async function updateMember(tx: Transaction, tenantId: string, userId: string, change: MemberChange, now: Date): Promise<void> {
  await tx.run(update, { tenantId, userId, now, ...change });
}

/** What the tenant calls somebody who has not come yet; no change that anybody must know of. */
export async function nameMember(tx: Transaction, tenantId: string, userId: string, name: string): Promise<void> {
  await tx.run(setName, { tenantId, userId, name });
}

export async function findMemberId(tx: Transaction, tenantId: string, emailNormalised: string): Promise<string | null> {
  return (await tx.run(byEmail, { tenantId, email: emailNormalised }))[0]?.id ?? null;
}

/** Platform work: the other tenants that a person works for. */
export async function otherTenantsOf(tx: Transaction, tenantId: string, userId: string): Promise<string[]> {
  return (await tx.run(findOtherTenants, { tenantId, userId })).map((row) => row.tenant_id);
}

interface UserFilter {
  readonly roles: readonly string[];
  readonly statuses: readonly string[];
  readonly q?: string | undefined;
  readonly mfaEnabled?: boolean | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedAfter?: Date | undefined;
}

export type UserOrder = { readonly by: 'name' | 'lastLoginAt' | 'createdAt'; readonly direction: 'asc' | 'desc' };

/** What a page is ordered by. As many letters of a name as fit into a cursor; who never came has been away longest. */
const KEYS = {
  name: { key: sql`left(lower(${NAME}), 60)`, type: sql`text` },
  lastLoginAt: { key: sql`coalesce(m.last_login_at, 'epoch')`, type: sql`timestamptz` },
  createdAt: { key: sql`m.created_at`, type: sql`timestamptz` },
};

interface ListedUser {
  readonly user: UserRecord;
  readonly position: Position;
}

/** At most `count` members after the position. */
export async function listUsers(
  tx: Transaction, tenantId: string, filter: UserFilter, order: UserOrder, after: Position | null, count: number, now: Date,
): Promise<ListedUser[]> {
  const rows = await tx.query<UserRow & { readonly sort_key: string }>(listQuery(tenantId, filter, order, after, count, now));
  return rows.map((row) => ({ user: memberOf(row), position: [row.sort_key, row.id] }));
}

export function listQuery(
  tenantId: string, filter: UserFilter, { by, direction }: UserOrder, after: Position | null, count: number, now: Date,
): Knex.QueryBuilder {
  const { key, type } = KEYS[by];
  const sorted = direction === 'asc' ? sql`ASC` : sql`DESC`;
  const query = membersQuery(tenantId, now).select(sql`${key} AS sort_key`)
    .orderByRaw(sql`${key} ${sorted}, m.user_id ${sorted}`).limit(count);
  if (filter.roles.length > 0) query.whereIn('m.role', filter.roles);
  if (filter.statuses.length > 0) query.where(sql`${statusAt(now)} = ANY(${[...filter.statuses]})`);
  if (filter.q !== undefined) query.where(sql`(${NAME} ILIKE ${containing(filter.q)} OR u.email ILIKE ${containing(filter.q)})`);
  if (filter.mfaEnabled !== undefined) query.where(sql`${HAS_FACTOR} = ${filter.mfaEnabled}`);
  if (filter.createdAfter !== undefined) query.where('m.created_at', '>=', filter.createdAfter);
  if (filter.createdBefore !== undefined) query.where('m.created_at', '<', filter.createdBefore);
  if (filter.updatedAfter !== undefined) query.where('m.updated_at', '>=', filter.updatedAfter);
  if (after !== null) {
    query.where(sql`(${key}, m.user_id) ${direction === 'asc' ? sql`>` : sql`<`} (${after[0]!}::${type}, ${after[1]!}::uuid)`);
  }
  return query;
}

/** A pattern for what contains these characters as they are. */
const containing = (characters: string): string => `%${characters.replace(/[\\%_]/g, '\\$&')}%`;

const findInvitation = statement<{ tenantId: string; id: string }, { user_id: string; role: Role; revoked_at: string | null }>('user.invitation', (p) =>
  knex('invitation as i').join('membership as m', (on) => on.on('m.tenant_id', 'i.tenant_id').andOn('m.user_id', 'i.user_id'))
    .where({ 'i.tenant_id': p.tenantId, 'i.id': p.id }).select('i.user_id', 'm.role', 'i.revoked_at'));

export async function findInvitationOfMember(
  tx: Transaction, tenantId: string, id: string,
): Promise<{ readonly userId: string; readonly role: Role; readonly isRevoked: boolean } | null> {
  const [row] = await tx.run(findInvitation, { tenantId, id });
  return row === undefined ? null : { userId: row.user_id, role: row.role, isRevoked: row.revoked_at !== null };
}
