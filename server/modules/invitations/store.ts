import type { components } from '../../contract/generated/types.ts';
import { knex, sql, statement, type Transaction } from '../../database/index.ts';

export type InvitedBy = Pick<components['schemas']['Actor'], 'type' | 'id' | 'display'>;

export interface Invitation {
  readonly tenantId: string;
  readonly id: string;
  readonly userId: string;
  readonly invitedBy: InvitedBy;
  readonly sentAt: Date;
  readonly expiresAt: Date;
  readonly acceptedAt: Date | null;
  readonly revokedAt: Date | null;
}

interface Row {
  tenant_id: string;
  id: string;
  user_id: string;
  invited_by: InvitedBy;
  sent_at: string;
  expires_at: string;
  accepted_at: string | null;
  revoked_at: string | null;
}

const columns = ['tenant_id', 'id', 'user_id', 'invited_by', 'sent_at', 'expires_at', 'accepted_at', 'revoked_at'];

/** The one open invitation of a member gets the new token; the old one is worth nothing from then on. */
const send = statement<{ tenantId: string; id: string; userId: string; hash: Buffer; invitedBy: InvitedBy; now: Date; expiresAt: Date }, Row>(
  'auth.invitation.send', (p) => sql`
    INSERT INTO invitation (tenant_id, id, user_id, token_hash, invited_by, created_at, sent_at, expires_at)
    VALUES (${p.tenantId}, ${p.id}, ${p.userId}, ${p.hash}, ${p.invitedBy}, ${p.now}, ${p.now}, ${p.expiresAt})
    ON CONFLICT (tenant_id, user_id) WHERE accepted_at IS NULL AND revoked_at IS NULL DO UPDATE SET
      token_hash = excluded.token_hash, invited_by = excluded.invited_by, sent_at = excluded.sent_at, expires_at = excluded.expires_at
    RETURNING ${knex.raw(columns.join(', '))}`);

const find = statement<{ tenantId: string; id: string }, Row>('auth.invitation.find', (p) =>
  knex('invitation').select(columns).where({ tenant_id: p.tenantId, id: p.id }).forUpdate());

const byToken = statement<{ hash: Buffer }, Row>('auth.invitation.byToken', (p) =>
  knex('invitation').select(columns).where({ token_hash: p.hash }));

const lockByToken = statement<{ hash: Buffer }, Row>('auth.invitation.lockByToken', (p) =>
  knex('invitation').select(columns).where({ token_hash: p.hash }).forUpdate());

const accept = statement<{ tenantId: string; id: string; now: Date }>('auth.invitation.accept', (p) =>
  knex('invitation').where({ tenant_id: p.tenantId, id: p.id }).update({ accepted_at: p.now }), { expectRows: 1 });

const revoke = statement<{ tenantId: string; id: string; now: Date }>('auth.invitation.revoke', (p) =>
  knex('invitation').where({ tenant_id: p.tenantId, id: p.id }).update({ revoked_at: p.now }), { expectRows: 1 });

export async function sendInvitation(
  tx: Transaction, invitation: { tenantId: string; id: string; userId: string; hash: Buffer; invitedBy: InvitedBy; now: Date; expiresAt: Date },
): Promise<Invitation> {
  return invitationOf((await tx.run(send, invitation))[0] as Row);
}

/** Held until the end of the transaction, so that it is not accepted while it is revoked. */
export async function lockInvitation(tx: Transaction, tenantId: string, id: string): Promise<Invitation | null> {
  const [row] = await tx.run(find, { tenantId, id });
  return row === undefined ? null : invitationOf(row);
}

/** `locked` holds it until the end of the transaction: of parallel acceptances only one succeeds. */
export async function findInvitation(tx: Transaction, hash: Buffer, locked: boolean): Promise<Invitation | null> {
  const [row] = await tx.run(locked ? lockByToken : byToken, { hash });
  return row === undefined ? null : invitationOf(row);
}

export async function markAccepted(tx: Transaction, { tenantId, id }: Invitation, now: Date): Promise<void> {
  await tx.run(accept, { tenantId, id, now });
}

export async function markRevoked(tx: Transaction, { tenantId, id }: Invitation, now: Date): Promise<void> {
  await tx.run(revoke, { tenantId, id, now });
}

function invitationOf(row: Row): Invitation {
  const instant = (text: string | null): Date | null => text === null ? null : new Date(text);
  return {
    tenantId: row.tenant_id, id: row.id, userId: row.user_id, invitedBy: row.invited_by,
    sentAt: new Date(row.sent_at), expiresAt: new Date(row.expires_at), acceptedAt: instant(row.accepted_at), revokedAt: instant(row.revoked_at),
  };
}
