import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Context } from '../../contract/handlers.ts';
import { PLATFORM_TENANT_ID } from '../../database/index.ts';
import { normalEmail } from './email.ts';
import { aboutUser } from './identity.ts';
import { generateToken } from './one-time-token.ts';
import type { AuthParts } from './parts.ts';
import { canSignIn, mailTo, personOf } from './person.ts';
import { Places } from './places.ts';
import { record, type Origin } from './record.ts';
import { findAccount } from './store/accounts.ts';
import { latestReset, replaceResets } from './store/password-resets.ts';
import { accountKey, Throttle } from './throttle.ts';

export const LINK_VALID_MINUTES = 30;

/** Nobody's link is replaced while its mail is on the way. */
const PAUSE = 60_000;
const MAILS = 5;
const LONGEST_PAUSE = 60 * 60_000;
/** Everybody is answered this long after they asked: several times what the work takes. */
const ANSWER_AFTER_MILLISECONDS = 100;

/**
 * Mails a link to whoever has the address. Nothing tells whether somebody has it: the same statements run for nobody,
 * and what little differs ends before the answer is due.
 */
export async function requestReset(parts: AuthParts, request: Pick<Context<'requestPasswordReset'>, 'body' | keyof Origin>): Promise<void> {
  const due = setTimeout(ANSWER_AFTER_MILLISECONDS);
  await sendLink(parts, request);
  await due;
}

/**
 * Five mails, then one after each pause of 15, 30 and again and again 60 minutes until a link is used, so that no stranger
 * fills a mailbox. Never longer, and places that the person signed in from are counted by themselves, so that no stranger bars the way out.
 */
function mailThrottle({ throttle: { key } }: AuthParts, email: string, places: Places, now: Date): Throttle {
  const lane = places.isKnown ? `mail:${email}:${places.current}` : `mail:${email}`;
  return new Throttle(key, email, [{ name: lane, limit: MAILS, againAfter: 1, longestLock: LONGEST_PAUSE }], now);
}

async function sendLink(parts: AuthParts, request: Pick<Context<'requestPasswordReset'>, 'body' | keyof Origin>): Promise<void> {
  const { database, mail } = parts;
  const { now } = request;
  const email = normalEmail(request.body.email);
  const places = new Places(parts.throttle.key, email, { clientIp: request.clientIp, deviceToken: request.body.deviceToken, now });
  const { token, hash } = generateToken('pr');
  const expiresAt = new Date(now.getTime() + LINK_VALID_MINUTES * 60_000);
  await database.platform({ tenantId: null }, async (tx) => {
    const [account] = await Promise.all([findAccount(tx, email), places.look(tx)]);
    const throttle = mailThrottle(parts, email, places, now);
    const last = await latestReset(tx, account?.user.id ?? randomUUID());
    const known = account !== null && canSignIn(account) ? account : null;
    const paused = await throttle.enter(tx) !== null;
    const tooSoon = paused || (last !== null && now.getTime() - last.getTime() < PAUSE);
    if (!tooSoon) await throttle.fail(tx);
    await replaceResets(tx, { userId: known === null || tooSoon ? randomUUID() : known.user.id, hash, now, expiresAt });
    const outcome = known === null ? { outcome: 'failed', reason: 'unknown_address' } as const
      : tooSoon ? { outcome: 'denied', reason: 'too_soon' } as const : { outcome: 'success' } as const;
    for (const tenantId of known?.memberships.map(({ tenant }) => tenant.id) ?? [PLATFORM_TENANT_ID]) {
      const about = known !== null ? aboutUser(known.user, tenantId) : {
        actor: { type: 'user', id: null, display: 'unknown' }, resource: { type: 'sign_in_address', id: accountKey(parts.throttle.key, email) }, environment: 'live',
      } as const;
      record<'requestPasswordReset'>(tx, tenantId, request, { ...about, ...outcome, action: 'auth.password.reset_requested' });
    }
    if (known === null || tooSoon) return;
    const { policies } = await personOf(tx, known);
    mail.queue(tx, { ...mailTo(known.user, policies), template: 'passwordReset', values: { token, expiresAt } });
  });
}
