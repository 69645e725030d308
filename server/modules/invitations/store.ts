/**
 * Statements on `invitation`. Used by the other files of this module. A member has at most one open invitation; sending
 * again replaces its token. Acceptance and revocation lock the row, so that only one of them succeeds.
 */
import type { RealTime } from '../../base/time.ts';
import { sql, statement, type InsertOf, type RecordOf, type RowOf, type Transaction } from '../../database/index.ts';
import { invitation } from '../../identity/tables.ts';

/** Columns of an invitation without the token hash. Only the recipient knows the token itself. */
const record = invitation.except('tokenHash', 'createdAt');
type Row = RowOf<typeof record>;
export type Invitation = RecordOf<typeof record>;
export type InvitedBy = Invitation['invitedBy'];

/**
 * Inserts an invitation, or gives the one open invitation of the member a new token, which invalidates the old token.
 */
const send = statement<InsertOf<typeof invitation>, Row>(
  'auth.invitation.send',
  (p) => sql`
  ${invitation.insert(p)}
  ON CONFLICT (tenant_id, user_id) WHERE accepted_at IS NULL AND revoked_at IS NULL
    DO UPDATE SET ${invitation.assignExcluded('tokenHash', 'invitedBy', 'sentAt', 'expiresAt')}
  RETURNING ${record}`,
);

const find = statement<{ tenantId: string; id: string }, Row>(
  'auth.invitation.find',
  (p) => sql`
  SELECT ${record} FROM invitation WHERE ${invitation.equal({ tenantId: p.tenantId, id: p.id })} FOR UPDATE`,
);

const byToken = statement<{ hash: Buffer }, Row>(
  'auth.invitation.byToken',
  (p) => sql`
  SELECT ${record} FROM invitation WHERE ${invitation.equal({ tokenHash: p.hash })}`,
);

const lockByToken = statement<{ hash: Buffer }, Row>(
  'auth.invitation.lockByToken',
  (p) => sql`
  SELECT ${record} FROM invitation WHERE ${invitation.equal({ tokenHash: p.hash })} FOR UPDATE`,
);

const accept = statement<{ tenantId: string; id: string; now: RealTime }>(
  'auth.invitation.accept',
  (p) => sql`
  UPDATE invitation SET ${invitation.assign({ acceptedAt: p.now })}
    WHERE ${invitation.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

const revoke = statement<{ tenantId: string; id: string; now: RealTime }>(
  'auth.invitation.revoke',
  (p) => sql`
  UPDATE invitation SET ${invitation.assign({ revokedAt: p.now })}
    WHERE ${invitation.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

interface InvitationToSend {
  readonly tenantId: string;
  readonly id: string;
  readonly userId: string;
  readonly hash: Buffer;
  readonly invitedBy: InvitedBy;
  readonly now: RealTime;
  readonly expiresAt: Date;
}

export async function sendInvitation(tx: Transaction, { hash, now, ...values }: InvitationToSend): Promise<Invitation> {
  const [row] = await tx.run(send, {
    ...values,
    tokenHash: hash,
    createdAt: now,
    sentAt: now,
  });
  return invitation.read(row as Row);
}

/** Reads an invitation and locks it until the transaction ends, so that it cannot be accepted while it is revoked. */
export async function lockInvitation(tx: Transaction, tenantId: string, id: string): Promise<Invitation | null> {
  const [row] = await tx.run(find, { tenantId, id });
  return row === undefined ? null : invitation.read(row);
}

/**
 * Finds an invitation by the hash of its token. `locked` locks it until the transaction ends, so that only one of
 * several parallel acceptances succeeds.
 */
export async function findInvitation(tx: Transaction, hash: Buffer, locked: boolean): Promise<Invitation | null> {
  const [row] = await tx.run(locked ? lockByToken : byToken, { hash });
  return row === undefined ? null : invitation.read(row);
}

export async function markAccepted(tx: Transaction, { tenantId, id }: Invitation, now: RealTime): Promise<void> {
  await tx.run(accept, { tenantId, id, now });
}

export async function markRevoked(tx: Transaction, { tenantId, id }: Invitation, now: RealTime): Promise<void> {
  await tx.run(revoke, { tenantId, id, now });
}
