import { actorOf } from '../../contract/actor.ts';
import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../contract/principal.ts';
import type { Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import { localeOf, type Outbox } from '../../providers/mail/index.ts';
import type { Secrets } from '../../secrets.ts';
import { invite, normalEmail, takeMailQuota } from '../auth/index.ts';
import { assertUnbound, readSettings } from '../settings/index.ts';
import { assertMayTouch } from './rank.ts';
import { assertSeat } from './seats.ts';
import { findUser } from './store/find.ts';
import { findMemberId, lockTerms, nameMember } from './store/members.ts';
import type { UserRecord } from './user.ts';

export interface Invited {
  readonly user: UserRecord;
  readonly outcome: 'created' | 'resent' | 'reactivated';
}

/** Invites somebody, or sends the invitation that waits for them again; the mail leaves with the transaction. */
export async function inviteUser(
  tx: Transaction, { mail, secrets }: { mail: Outbox; secrets: Secrets }, caller: AnyPrincipal, { email, role, name }: components['schemas']['UserInvite'], now: Date,
): Promise<Invited> {
  const { tenantId } = caller;
  await assertUnbound(tx, caller);
  assertMayTouch(caller, role);
  const normalised = normalEmail(email);
  const [terms, settings, knownId] = await Promise.all([lockTerms(tx, tenantId), readSettings(tx, tenantId), findMemberId(tx, tenantId, normalised)]);
  assertDomain(normalised, settings.security.allowedEmailDomains);
  const before = knownId === null ? null : await findUser(tx, tenantId, knownId, now);
  if (before !== null && (before.status === 'active' || before.status === 'locked')) throw new Problem('user_exists', { existingId: before.id });
  assertMayTouch(caller, before?.role);
  await assertSeat(tx, tenantId, terms, before?.id ?? null, now);
  await takeMailQuota(tx, secrets, { caller, email, pointer: '/email', seats: terms.seats }, now);
  const result = await invite(tx, { tenantId, email, name: name ?? '', role, invitedBy: actorOf(caller), now });
  if (result.outcome === 'member') throw new Problem('user_exists', { existingId: result.user.id });
  const { user: { id, email: address }, token, invitation: { expiresAt }, outcome } = result;
  if (before === null || name !== undefined) await nameMember(tx, tenantId, id, name ?? '');
  mail.queue(tx, {
    to: { address, name: name ?? null }, locale: localeOf(settings.branding.locale), template: 'invitation',
    values: { tenantName: terms.name, inviterName: caller.display, token, expiresAt },
  });
  return { user: await findUser(tx, tenantId, id, now) as UserRecord, outcome: before?.joined === false && outcome === 'reactivated' ? 'created' : outcome };
}

function assertDomain(email: string, allowed: readonly string[]): void {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (allowed.length > 0 && !allowed.includes(domain)) {
    throw new Problem('email_domain_not_allowed', { errors: [{ pointer: '/email', code: 'domain', message: 'must be at a domain that the settings allow' }] });
  }
}
