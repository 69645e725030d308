import { createHmac } from 'node:crypto';
import type { Secrets } from '../../base/secrets.ts';
import { DAY_MILLISECONDS, DAY_SECONDS } from '../../base/time.ts';
import { actorOf, type AnyPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import { integer, type RowOf, sql, statement, table, text, timestamp, type Transaction } from '../../database/index.ts';
import { normalEmail } from '../../rules/email-address.ts';

/** Invitations to one mailbox, of all tenants together. */
const PER_RECIPIENT = 5;
/** As many as the tenant has seats, and this many at least. */
const PER_CALLER = 50;

const mailQuota = table('mail_quota', {
  key: text(),
  used: integer().changes('mail is counted, under keys that name nobody, and counted anew after a day'),
  beganAt: timestamp().changes('mail is counted, under keys that name nobody, and counted anew after a day'),
}, {
  owner: 'platform',
  insertedBy: 'platform',
  example: { key: 'k' },
});

const taken = mailQuota.select('used', 'beganAt');

/** Counts one, and begins anew when a day is over. The row is held, so that of parallel requests each sees the ones before. */
const takeOne = statement<{ key: string; now: Date }, RowOf<typeof taken>>('auth.mailQuota.take', (p) => sql`
  ${mailQuota.insert({ key: p.key, used: 1, beganAt: p.now })}
  ON CONFLICT (key) DO UPDATE SET
    used = CASE WHEN mail_quota.began_at <= excluded.began_at - interval '1 day' THEN 1 ELSE mail_quota.used + 1 END,
    began_at = CASE WHEN mail_quota.began_at <= excluded.began_at - interval '1 day' THEN excluded.began_at ELSE mail_quota.began_at END
  RETURNING ${taken}`);

const deleteOldQuotas = statement<{ before: Date }>('auth.mailQuota.forget', (p) => sql`DELETE FROM mail_quota WHERE began_at <= ${p.before}`);

interface Invitee {
  readonly caller: AnyPrincipal;
  readonly email: string;
  /** The member of the request that has the address. */
  readonly pointer: string;
  /** Null: as many as come. */
  readonly seats: number | null;
}

/**
 * Callers choose to whom an invitation goes, so it is bounded by recipient, by caller and by tenant, whatever becomes of the
 * invitations meanwhile. Taken in this order everywhere, and given back when the request fails. Platform work.
 */
export async function takeMailQuota(tx: Transaction, secrets: Secrets, { caller, email, pointer, seats }: Invitee, now: Date): Promise<void> {
  const key = secrets.deriveKey('mail-quota');
  // A key and the tokens that it gets are one caller.
  const { id } = actorOf(caller);
  const perCaller = Math.max(PER_CALLER, seats ?? PER_CALLER);
  const charge = async (name: string, limit: number, refusal: ConstructorParameters<typeof Problem>[1]): Promise<void> => {
    const [row] = await tx.run(takeOne, { key: createHmac('sha256', key).update(name).digest('base64url'), now });
    if (row === undefined || row.used <= limit) return;
    // A parallel request, whose time is a little later, may have begun the day: nobody waits longer than one.
    const retryAfter = Math.min(DAY_SECONDS, Math.max(1, Math.ceil((Date.parse(row.beganAt) + DAY_MILLISECONDS - now.getTime()) / 1000)));
    throw new Problem('mail_limit_reached', { ...refusal, retryable: true, retryAfter });
  };
  await charge(`tenant:${caller.tenantId}`, 2 * perCaller, { detail: 'This tenant has sent as many invitations as one day allows.' });
  await charge(`caller:${id}`, perCaller, { detail: 'You have sent as many invitations as one day allows.' });
  await charge(`recipient:${mailboxOf(email)}`, PER_RECIPIENT, {
    detail: 'This address has been invited often enough for today.',
    errors: [{ pointer, code: 'mail_limit', message: 'has been sent as much mail as one day allows' }],
  });
}

export function forgetMailQuota(tx: Transaction, now: Date): Promise<number> {
  return tx.count(deleteOldQuotas, { before: new Date(now.getTime() - DAY_MILLISECONDS) });
}

/** Addresses that many mail systems deliver to one mailbox: points and what follows a plus do not tell them apart. */
function mailboxOf(email: string): string {
  const address = normalEmail(email);
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at).replace(/\+.*$/s, '').replaceAll('.', '');
  return `${local}@${address.slice(at + 1).replace(/^googlemail\.com$/, 'gmail.com')}`;
}
