import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../contract/principal.ts';
import type { Transaction } from '../../database/index.ts';
import { assertMatch } from '../../http/etag.ts';
import { Problem } from '../../http/problem.ts';
import type { Secrets } from '../../secrets.ts';
import { endSessions, revokeInvitation, unlockAccount } from '../auth/index.ts';
import { assertUnbound } from '../settings/index.ts';
import { assertMayTouch, isSelf } from './rank.ts';
import { assertSeat } from './seats.ts';
import { statusChange, type StatusChange } from './status-change.ts';
import { findUser } from './store/find.ts';
import { hasOtherOwner, lockTerms, updateMember, type Terms } from './store/members.ts';
import type { UserRecord } from './user.ts';

interface Request {
  readonly userId: string;
  readonly ifMatch: string | undefined;
  readonly patch: components['schemas']['UserUpdate'];
  readonly now: Date;
}

export interface Updated {
  readonly before: UserRecord;
  readonly after: UserRecord;
  readonly change: StatusChange;
}

/** RFC 7396 on what a tenant says of a member. */
export async function patchUser(tx: Transaction, secrets: Secrets, caller: AnyPrincipal, { userId, ifMatch, patch, now }: Request): Promise<Updated> {
  await assertUnbound(tx, caller);
  const { tenantId } = caller;
  const terms = await lockTerms(tx, tenantId);
  const before = await findUser(tx, tenantId, userId, now);
  if (before === null) throw new Problem('not_found');
  assertMatch(ifMatch, before.version);
  const change = statusChange(before, patch);
  const role = patch.role ?? before.role;
  if (isSelf(caller, before.id) && (change !== null || role !== before.role)) throw new Problem('cannot_change_own_role');
  assertMayTouch(caller, before.role, role);
  await assertOwnerStays(tx, tenantId, before, { role, change });
  await changeStatus(tx, secrets, { tenantId, user: before, change, terms, now });
  const name = patch.name === undefined || patch.name === before.name ? null : patch.name;
  if (change === null && role === before.role && name === null) return { before, after: before, change };
  await updateMember(tx, tenantId, userId, { name, role, status: statusAfter(change) }, now);
  return { before, after: await findUser(tx, tenantId, userId, now) as UserRecord, change };
}

async function assertOwnerStays(
  tx: Transaction, tenantId: string, { id, role: was, status }: UserRecord, { role, change }: { role: UserRecord['role']; change: StatusChange },
): Promise<void> {
  const leaves = was === 'owner' && (status === 'active' || status === 'locked') && (role !== 'owner' || change === 'deactivate');
  if (leaves && !await hasOtherOwner(tx, tenantId, id)) throw new Problem('last_owner');
}

interface Change {
  readonly tenantId: string;
  readonly user: UserRecord;
  readonly change: StatusChange;
  readonly terms: Terms;
  readonly now: Date;
}

async function changeStatus(tx: Transaction, secrets: Secrets, { tenantId, user, change, terms, now }: Change): Promise<void> {
  const { id: userId, invitation } = user;
  if (change === 'reactivate') await assertSeat(tx, tenantId, terms, userId, now);
  if (change === 'unlock') await unlockAccount(tx, secrets, { tenantId, userId, now });
  if (change === 'deactivate') {
    await endSessions(tx, { tenantId, userId, reason: 'deactivated', now });
    if (invitation !== null) await revokeInvitation(tx, tenantId, invitation.id, now);
  }
}

/** A lock that ends by itself is no status that is stored, so without a change nothing is written there. */
function statusAfter(change: StatusChange): 'active' | 'deactivated' | null {
  if (change === null) return null;
  return change === 'deactivate' ? 'deactivated' : 'active';
}
