import type { AnyPrincipal, Role } from '../../contract/principal.ts';
import { knex, statement, type Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import { revokeInvitation } from '../auth/index.ts';
import { assertUnbound } from '../settings/index.ts';
import { assertMayTouch } from './rank.ts';
import { lockTerms } from './store/members.ts';

const find = statement<{ tenantId: string; id: string }, { user_id: string; role: Role; revoked_at: string | null }>('user.invitation', (p) =>
  knex('invitation as i').join('membership as m', (on) => on.on('m.tenant_id', 'i.tenant_id').andOn('m.user_id', 'i.user_id'))
    .where({ 'i.tenant_id': p.tenantId, 'i.id': p.id }).select('i.user_id', 'm.role', 'i.revoked_at'));

/** Who can not come any more; null when the invitation had been revoked before: repeating it changes nothing. */
export async function revoke(tx: Transaction, caller: AnyPrincipal, id: string, now: Date): Promise<string | null> {
  await assertUnbound(tx, caller);
  const { tenantId } = caller;
  await lockTerms(tx, tenantId);
  const [invitation] = await tx.run(find, { tenantId, id });
  if (invitation === undefined) throw new Problem('not_found');
  if (invitation.revoked_at !== null) return null;
  assertMayTouch(caller, invitation.role);
  if (await revokeInvitation(tx, tenantId, id, now) === 'already_used') throw new Problem('invitation_already_used');
  return invitation.user_id;
}
