/**
 * Statements that read and change members of a tenant, with their open invitation and sessions. Used by the other files
 * of this module. The condition on the tenant stands in every statement, because some run as the platform's role, for
 * which row-level security hides nothing.
 */
import type { RealTime } from '../../base/time.ts';
import type { Uuid } from '../../base/uuid.ts';
import type { Knex } from 'knex';
import type { Role } from '../../contract/operation.ts';
import {
  containing,
  type Fragment,
  keyset,
  knex,
  type Parameter,
  type RowOf,
  sql,
  statement,
  type Transaction,
} from '../../database/index.ts';
import { invitation, membership, userAccount } from '../../identity/tables.ts';
import type { Position } from '../../request/pagination.ts';
import type { UserRecord, UserStatus } from './member.ts';

const member = membership.as('m').select('role', 'lastLoginAt', 'createdAt', 'updatedAt', 'version');
const open = invitation.as('i').select('sentAt', 'expiresAt', 'invitedBy');

interface UserRow extends RowOf<typeof member>, RowOf<typeof open> {
  readonly id: Uuid;
  readonly email: string;
  readonly name: string;
  readonly status: UserStatus;
  readonly joined: boolean;
  readonly mfaEnabled: boolean;
  /** Null, like the other columns of the invitation, if no invitation is open. */
  readonly invitationId: Uuid | null;
  readonly activeSessions: number;
  readonly openCases: number;
  readonly absentUntil: string | null;
}

/** Name of a member: the name that the tenant has set, else the person's own name. */
const NAME = sql`coalesce(m.name, u.name)`;
/** Returns the status as an SQL expression. A member is locked after long absence, or while the account is locked. */
export const statusAt = (now: RealTime | Parameter): Fragment =>
  sql`CASE WHEN m.status = 'active' AND u.locked_until > ${now} THEN 'locked' ELSE m.status END`;

/** Whether a member has a second factor. Hidden for invited people, who have not told this tenant anything yet. */
const HAS_FACTOR = sql`(f.confirmed_at IS NOT NULL AND m.status IN ('active', 'locked'))`;

const JOINED = sql`(EXISTS (SELECT FROM invitation a WHERE a.tenant_id = m.tenant_id AND a.user_id = m.user_id
  AND a.accepted_at IS NOT NULL)
  OR NOT EXISTS (SELECT FROM invitation n WHERE n.tenant_id = m.tenant_id AND n.user_id = m.user_id))`;
const activeSessions = (
  now: RealTime | Parameter,
): Fragment => sql`(SELECT count(*) FROM session s WHERE s.tenant_id = m.tenant_id AND s.user_id = m.user_id
  AND s.ended_at IS NULL
  AND s.absolute_expires_at > ${now} AND s.last_seen_at + s.idle_seconds * interval '1 second' > ${now})`;

/** Number of unresolved cases that are assigned to a member (server/modules/cases). */
const OPEN_CASES = sql`(SELECT count(*)::integer FROM review_case c WHERE c.tenant_id = m.tenant_id
  AND c.assignee_id = m.user_id AND c.status <> 'resolved')`;

/** End of an absence that is not over. */
const absentUntil = (now: RealTime | Parameter): Fragment =>
  sql`(CASE WHEN m.absent_until > ${now} THEN m.absent_until END)`;

/**
 * Returns the query of the members of a tenant. The condition on the tenant is always in the query, because it runs
 * under the platform's role as well.
 */
function membersQuery(tenantId: string | Parameter, now: RealTime | Parameter): Knex.QueryBuilder {
  return knex('membership as m')
    .join('user_account as u', 'u.id', 'm.user_id')
    .leftJoin('user_totp as f', 'f.user_id', 'm.user_id')
    .leftJoin('invitation as i', (on) =>
      on
        .on('i.tenant_id', 'm.tenant_id')
        .andOn('i.user_id', 'm.user_id')
        .andOnNull('i.accepted_at')
        .andOnNull('i.revoked_at'),
    )
    .where(sql`m.tenant_id = ${tenantId}`)
    .select(
      sql`m.user_id AS id, u.email, ${NAME} AS name, ${member}, ${statusAt(now)} AS status,
        ${JOINED} AS joined, ${HAS_FACTOR} AS "mfaEnabled",
        i.id AS "invitationId", ${open}, ${activeSessions(now)} AS "activeSessions",
        ${OPEN_CASES} AS "openCases", ${absentUntil(now)} AS "absentUntil"`,
    );
}

function memberOf({ invitationId, sentAt, expiresAt, invitedBy, ...row }: UserRow): UserRecord {
  const invited = { sentAt, expiresAt, invitedBy };
  return {
    ...row,
    invitation: invitationId === null ? null : { id: invitationId, ...invited },
  };
}

const findMember = statement<{ tenantId: string; userId: string; now: RealTime }, UserRow>('user.find', (p) =>
  membersQuery(p.tenantId, p.now).where({ 'm.user_id': p.userId }),
);

/** Finds a member of the tenant; null if the person is not a member. */
export async function findUser(
  tx: Transaction,
  tenantId: string,
  userId: string,
  now: RealTime,
): Promise<UserRecord | null> {
  const [row] = await tx.run(findMember, { tenantId, userId, now });
  return row === undefined ? null : memberOf(row);
}

/** Member to be changed, and the time of the change. */
type MemberAt = {
  readonly tenantId: string;
  readonly userId: string;
  readonly now: RealTime;
};

/** Change of a member. Null leaves a value unchanged. */
type MemberChange = {
  readonly name: string | null;
  readonly role: Role;
  readonly status: 'active' | 'deactivated' | null;
};

const update = statement<MemberAt & MemberChange>(
  'user.update',
  (p) => sql`
  UPDATE membership
  SET ${membership.revise(p.now, {
    name: sql`coalesce(${p.name}::text, name)`,
    role: p.role,
    status: sql`coalesce(${p.status}::text, status)`,
  })}
  WHERE ${membership.equal({ tenantId: p.tenantId, userId: p.userId })}`,
  { expectRows: 1 },
);

const setName = statement<{ tenantId: string; userId: string; name: string }>(
  'user.callBy',
  (p) => sql`
  UPDATE membership SET ${membership.assign({ name: p.name })}
    WHERE ${membership.equal({ tenantId: p.tenantId, userId: p.userId })}`,
  { expectRows: 1 },
);

const byEmail = statement<{ tenantId: string; email: string }, { id: string }>(
  'user.byEmail',
  (p) => sql`
  SELECT u.id FROM user_account u JOIN membership m ON m.user_id = u.id
  WHERE ${membership.as('m').equal({ tenantId: p.tenantId })}
    AND ${userAccount.as('u').equal({ emailNormalised: p.email })}`,
);

const findOtherTenants = statement<{ tenantId: string; userId: string }, { tenantId: string }>(
  'user.elsewhere',
  (p) => sql`
  SELECT ${membership.select('tenantId')} FROM membership
  WHERE ${membership.equal({ userId: p.userId })} AND status IN ('active', 'locked') AND tenant_id <> ${p.tenantId}
    ORDER BY tenant_id`,
);

export async function updateMember(tx: Transaction, key: MemberAt, change: MemberChange): Promise<void> {
  await tx.run(update, { ...key, ...change });
}

/** Sets the name of an invited person. This is no change that needs a new version. */
export async function nameMember(tx: Transaction, tenantId: string, userId: string, name: string): Promise<void> {
  await tx.run(setName, { tenantId, userId, name });
}

export async function findMemberId(tx: Transaction, tenantId: string, emailNormalised: string): Promise<string | null> {
  return (await tx.run(byEmail, { tenantId, email: emailNormalised }))[0]?.id ?? null;
}

/** Returns the other tenants of a person. Runs as the platform's role. */
export async function otherTenantsOf(tx: Transaction, tenantId: string, userId: string): Promise<string[]> {
  return (await tx.run(findOtherTenants, { tenantId, userId })).map((row) => row.tenantId);
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

/**
 * Sort keys of a page. A name is cut to the letters that fit into a cursor, and members who never signed in sort as the
 * longest absent.
 */
const KEYS = {
  name: { key: sql`left(lower(${NAME}), 60)`, type: sql`text` },
  lastLoginAt: { key: sql`coalesce(m.last_login_at, 'epoch')`, type: sql`timestamptz` },
  createdAt: { key: sql`m.created_at`, type: sql`timestamptz` },
};

/** Members to be listed: at most `count` of them after the position. */
interface UserQuery {
  readonly filter: UserFilter;
  readonly order: UserOrder;
  readonly after: Position | null;
  readonly count: number;
}

interface ListedUser {
  readonly user: UserRecord;
  readonly position: Position;
}

export async function listUsers(
  tx: Transaction,
  tenantId: string,
  query: UserQuery,
  now: RealTime,
): Promise<ListedUser[]> {
  const rows = await tx.query<UserRow & { readonly sortKey: string }>(listQuery(tenantId, query, now));
  return rows.map(({ sortKey, ...row }) => ({ user: memberOf(row), position: [sortKey, row.id] }));
}

export function listQuery(
  tenantId: string,
  { filter, order: { by, direction }, after, count }: UserQuery,
  now: RealTime,
): Knex.QueryBuilder {
  const page = keyset({ ...KEYS[by], id: sql`m.user_id`, direction }, after);
  const query = membersQuery(tenantId, now)
    .select(sql`${KEYS[by].key} AS "sortKey"`)
    .orderByRaw(page.order)
    .limit(count);
  if (filter.roles.length > 0) query.whereIn('m.role', filter.roles);
  if (filter.statuses.length > 0) query.where(sql`${statusAt(now)} = ANY(${[...filter.statuses]})`);
  if (filter.q !== undefined)
    query.where(sql`(${NAME} ILIKE ${containing(filter.q)} OR u.email ILIKE ${containing(filter.q)})`);
  if (filter.mfaEnabled !== undefined) query.where(sql`${HAS_FACTOR} = ${filter.mfaEnabled}`);
  if (filter.createdAfter !== undefined) query.where('m.created_at', '>=', filter.createdAfter);
  if (filter.createdBefore !== undefined) query.where('m.created_at', '<', filter.createdBefore);
  if (filter.updatedAfter !== undefined) query.where('m.updated_at', '>=', filter.updatedAfter);
  if (page.after !== false) query.where(page.after);
  return query;
}

interface MemberInvitation {
  readonly userId: string;
  readonly role: Role;
  readonly isRevoked: boolean;
}

const findInvitation = statement<{ tenantId: string; id: string }, MemberInvitation>(
  'user.invitation',
  (p) => sql`
  SELECT ${membership.as('m').select('userId', 'role')}, i.revoked_at IS NOT NULL AS "isRevoked"
  FROM invitation i JOIN membership m ON m.tenant_id = i.tenant_id AND m.user_id = i.user_id
  WHERE ${invitation.as('i').equal({ tenantId: p.tenantId, id: p.id })}`,
);

export async function findInvitationOfMember(
  tx: Transaction,
  tenantId: string,
  id: string,
): Promise<MemberInvitation | null> {
  return (await tx.run(findInvitation, { tenantId, id }))[0] ?? null;
}
