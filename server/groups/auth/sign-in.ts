import type { Context } from '../../contract/handlers.ts';
import type { Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import { isOpen } from '../../http/tenant-status.ts';
import type { Services } from '../../services.ts';
import { normalEmail } from './email.ts';
import { aboutUser, type Member } from './identity.ts';
import { openSession } from './open-session.ts';
import { hashPassword, isOutdated, verifyPassword } from './password.ts';
import { record, type Origin } from './record.ts';
import { unauthorized } from './refusals.ts';
import { findAccount, recordSignIn, replacePasswordHash, type Account, type Membership } from './store/accounts.ts';
import { Throttle, type ThrottleOptions } from './throttle.ts';
import type { TokenPair } from './token-pair.ts';
import { withinTenant } from './within-tenant.ts';

export interface SignInParts extends Pick<Services, 'database' | 'tokens'> {
  readonly throttle: ThrottleOptions;
}

export type SignInRequest = Pick<Context<'login'>, 'body' | keyof Origin>;

/**
 * An unknown user, a wrong password and a deactivated user take the same path to the same answer. No connection is
 * held while the password is hashed.
 */
export async function signIn({ database, tokens, throttle: options }: SignInParts, request: SignInRequest): Promise<TokenPair> {
  const { body: { password, tenantSlug }, clientIp, now } = request;
  const email = normalEmail(request.body.email);
  const throttle = new Throttle(options, email, clientIp, now);
  const [refusal, account] = await database.platform({ tenantId: null, readOnly: true }, (tx) =>
    Promise.all([throttle.refusal(tx), findAccount(tx, email)]));
  if (refusal !== null) throw refusal;

  const right = await verifyPassword(account?.passwordHash ?? null, password);
  const memberships = eligible(account, tenantSlug);
  const [membership, ...others] = memberships;
  if (!right || account === null || membership === undefined) {
    throw await database.platform({ tenantId: null }, (tx) => refuse(tx, throttle, account, request));
  }
  const newHash = isOutdated(account.passwordHash) ? await hashPassword(password) : null;
  const outcome = await database.platform({ tenantId: null }, async (tx) => {
    const settled = await throttle.settle(tx, true);
    if (settled instanceof Problem) return settled;
    if (others.length > 0) return new Problem('tenant_selection_required', { tenants: memberships.map(({ tenant: { slug, name } }) => ({ slug, name })) });
    if (!isOpen(membership.tenant.status)) return new Problem('tenant_suspended');
    if (newHash !== null) await replacePasswordHash(tx, account.user.id, newHash);
    await recordSignIn(tx, account.user.id, now);
    return welcome(tx, tokens, { user: account.user, ...membership }, request);
  });
  if (outcome instanceof Problem) throw outcome;
  return outcome;
}

function eligible(account: Account | null, slug: string | undefined): readonly Membership[] {
  if (account === null || !account.active) return [];
  return slug === undefined ? account.memberships : account.memberships.filter(({ tenant }) => tenant.slug === slug);
}

/** The refusal, once its trace is committed. Only an account that exists has a chain of events to write to. */
async function refuse(tx: Transaction, throttle: Throttle, account: Account | null, origin: Origin): Promise<Problem> {
  const settled = await throttle.settle(tx, false);
  if (settled instanceof Problem) return settled;
  for (const { tenant } of account?.memberships ?? []) {
    const about = aboutUser((account as Account).user);
    record<'login'>(tx, tenant.id, origin, { ...about, action: 'auth.login.failed', outcome: 'failed', reason: 'invalid_credentials' });
    if (settled === 'locking') {
      record<'login'>(tx, tenant.id, origin, { ...about, action: 'auth.login.locked', outcome: 'denied', reason: 'too_many_failures' });
    }
  }
  return unauthorized('invalid_credentials');
}

async function welcome(tx: Transaction, tokens: Services['tokens'], member: Member, origin: Origin): Promise<TokenPair> {
  const pair = await openSession(withinTenant(tx, member.tenant.id), tokens, member, origin);
  record<'login'>(tx, member.tenant.id, origin, { ...aboutUser(member.user), action: 'auth.login.succeeded', outcome: 'success' });
  return pair;
}
