import { knex, statement, type Transaction } from '../../../database/index.ts';

export interface StoredToken {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly hash: Buffer;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

interface Row {
  tenant_id: string;
  session_id: string;
  hash: Buffer;
  expires_at: string;
  superseded_at: string | null;
}

const columns = ['tenant_id', 'session_id', 'hash', 'expires_at', 'superseded_at'];

const lock = statement<{ hash: Buffer }, Row>('auth.refresh.lock', (p) =>
  knex('refresh_token').select(columns).where({ hash: p.hash }).forUpdate());

const find = statement<{ hash: Buffer }, Row>('auth.refresh.find', (p) =>
  knex('refresh_token').select(columns).where({ hash: p.hash }));

const insert = statement<{ tenantId: string; hash: Buffer; sessionId: string; issuedAt: Date; expiresAt: Date }>('auth.refresh.insert', (p) =>
  knex('refresh_token').insert({ tenant_id: p.tenantId, hash: p.hash, session_id: p.sessionId, issued_at: p.issuedAt, expires_at: p.expiresAt }));

const supersede = statement<{ tenantId: string; hash: Buffer; now: Date; successor: Buffer }>('auth.refresh.supersede', (p) =>
  knex('refresh_token').where({ tenant_id: p.tenantId, hash: p.hash }).update({ superseded_at: p.now, successor: p.successor }), { expectRows: 1 });

/** The token, held until the end of the transaction: of parallel uses only the first one makes a successor. */
export async function lockToken(tx: Transaction, hash: Buffer): Promise<StoredToken | null> {
  const [row] = await tx.run(lock, { hash });
  return row === undefined ? null : tokenOf(row);
}

export async function findToken(tx: Transaction, hash: Buffer): Promise<StoredToken | null> {
  const [row] = await tx.run(find, { hash });
  return row === undefined ? null : tokenOf(row);
}

export async function insertToken(
  tx: Transaction, token: { tenantId: string; hash: Buffer; sessionId: string; issuedAt: Date; expiresAt: Date },
): Promise<void> {
  await tx.run(insert, token);
}

/** `successor` is the hash of the next token. */
export async function supersedeToken(tx: Transaction, tenantId: string, hash: Buffer, successor: Buffer, now: Date): Promise<void> {
  await tx.run(supersede, { tenantId, hash, now, successor });
}

function tokenOf(row: Row): StoredToken {
  return {
    tenantId: row.tenant_id, sessionId: row.session_id, hash: row.hash, expiresAt: new Date(row.expires_at),
    usedAt: row.superseded_at === null ? null : new Date(row.superseded_at),
  };
}
