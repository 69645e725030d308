/**
 * Table `mail_quota`, which limits invitations by recipient, caller and tenant. `takeMailQuota` is called, through the
 * index, before an invitation is mailed, and `forgetMailQuota` by the periodic purge. Throws `mail_limit_reached`; the
 * counters are always locked in one order, so that requests do not block each other forever.
 */
import { createHmac } from 'node:crypto';
import type { Secrets } from '../../base/secrets.ts';
import { DAY_MILLISECONDS, DAY_SECONDS, type RealTime } from '../../base/time.ts';
import { actorOf, type AnyPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import { integer, type RowOf, sql, statement, table, text, timestamp, type Transaction } from '../../database/index.ts';
import { normalEmail } from '../../rules/email-address.ts';

/** Highest number of invitations to one mailbox in a day, over all tenants. */
const PER_RECIPIENT = 5;
/** Highest number of invitations by one caller in a day; the number of seats of the tenant if that is higher. */
const PER_CALLER = 50;

const mailQuota = table(
  'mail_quota',
  {
    key: text(),
    used: integer().changes('the service counts mail by anonymous keys and restarts the count after a day'),
    beganAt: timestamp().changes('the service counts mail by anonymous keys and restarts the count after a day'),
  },
  {
    owner: 'platform',
    insertedBy: 'platform',
    example: { key: 'k' },
  },
);

const taken = mailQuota.select('used', 'beganAt');

/**
 * Counts one invitation, and starts again at one after a day. The row stays locked, so that each of several parallel
 * requests sees those before it.
 */
const takeOne = statement<{ key: string; now: RealTime }, RowOf<typeof taken>>(
  'auth.mailQuota.take',
  (p) => sql`
  ${mailQuota.insert({ key: p.key, used: 1, beganAt: p.now })}
  ON CONFLICT (key) DO UPDATE SET
    used = CASE WHEN mail_quota.began_at <= excluded.began_at - interval '1 day' THEN 1 ELSE mail_quota.used + 1 END,
    began_at = CASE WHEN mail_quota.began_at <= excluded.began_at - interval '1 day' THEN excluded.began_at
      ELSE mail_quota.began_at END
  RETURNING ${taken}`,
);

const deleteOldQuotas = statement<{ before: Date }>(
  'auth.mailQuota.forget',
  (p) => sql`DELETE FROM mail_quota WHERE began_at <= ${p.before}`,
);

interface Invitee {
  readonly caller: AnyPrincipal;
  readonly email: string;
  /** Pointer to the member of the request that contains the address. */
  readonly pointer: string;
  /** Number of seats of the tenant; null if unlimited. */
  readonly seats: number | null;
  readonly now: RealTime;
}

/**
 * Counts an invitation against the quotas of tenant, caller and recipient, and throws if one is used up. Callers choose
 * the recipients, so invitations count whatever becomes of them. The quotas are always locked in this order, and a
 * failed request rolls them back. Runs as the platform's role.
 */
export async function takeMailQuota(
  tx: Transaction,
  secrets: Secrets,
  { caller, email, pointer, seats, now }: Invitee,
): Promise<void> {
  const key = secrets.deriveKey('mail-quota');
  // A key and the tokens issued for it are one caller.
  const { id } = actorOf(caller);
  const perCaller = Math.max(PER_CALLER, seats ?? PER_CALLER);
  const charge = async (
    name: string,
    limit: number,
    refusal: ConstructorParameters<typeof Problem>[1],
  ): Promise<void> => {
    const [row] = await tx.run(takeOne, { key: createHmac('sha256', key).update(name).digest('base64url'), now });
    if (row === undefined || row.used <= limit) return;
    // The cap of one day is needed because a parallel request with a slightly later time may have started the day.
    const retryAfter = Math.min(
      DAY_SECONDS,
      Math.max(1, Math.ceil((Date.parse(row.beganAt) + DAY_MILLISECONDS - now.getTime()) / 1000)),
    );
    throw new Problem('mail_limit_reached', { ...refusal, retryable: true, retryAfter });
  };
  await charge(`tenant:${caller.tenantId}`, 2 * perCaller, {
    detail: 'This tenant has sent as many invitations as one day allows.',
  });
  await charge(`caller:${id}`, perCaller, { detail: 'You have sent as many invitations as one day allows.' });
  await charge(`recipient:${mailboxOf(email)}`, PER_RECIPIENT, {
    detail: 'This address has been invited often enough for today.',
    errors: [{ pointer, code: 'mail_limit', message: 'has been sent as much mail as one day allows' }],
  });
}

export function forgetMailQuota(tx: Transaction, now: RealTime): Promise<number> {
  return tx.count(deleteOldQuotas, { before: new Date(now.getTime() - DAY_MILLISECONDS) });
}

/**
 * Returns the mailbox of an address. Many mail systems ignore points and the part after a plus, so addresses that
 * differ only in these count as one mailbox.
 */
function mailboxOf(email: string): string {
  const address = normalEmail(email);
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at).replace(/\+.*$/s, '').replaceAll('.', '');
  return `${local}@${address.slice(at + 1).replace(/^googlemail\.com$/, 'gmail.com')}`;
}
