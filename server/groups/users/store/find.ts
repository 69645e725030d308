import { statement, type Transaction } from '../../../database/index.ts';
import type { UserRecord } from '../user.ts';
import { members, toRecord, type UserRow } from './user-row.ts';

const find = statement<{ tenantId: string; userId: string; now: Date }, UserRow>('user.find', (p) =>
  members(p.tenantId, p.now).where({ 'm.user_id': p.userId }));

/** A member of the tenant; null for everybody else. */
export async function findUser(tx: Transaction, tenantId: string, userId: string, now: Date): Promise<UserRecord | null> {
  const [row] = await tx.run(find, { tenantId, userId, now });
  return row === undefined ? null : toRecord(row);
}
