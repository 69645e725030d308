/**
 * Notices that the last day of a confirmed power has passed, writes it into the audit log and publishes it. Registered
 * by the index of the module as due work. The power needs no change to lose its force: its days decide. One that was
 * superseded before its last day is passed over, because nothing rested on it any more.
 */
import { appendAudit } from '../../audit/chain.ts';
import { MINUTE_SECONDS } from '../../base/time.ts';
import type { Transaction } from '../../database/index.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import { unlessErased } from '../../rules/subject.ts';
import type { Due, Effect } from '../../tasks/due.ts';
import { type Business, lockBusiness } from '../businesses/index.ts';
import { publish, type When } from '../subject-events/index.ts';
import { EXPIRED_AT_ONCE, listOverPowers, markExpired } from './expiry-store.ts';
import { instrumentsOf, type OpenedPower, readOnFile, statusOn } from './on-file.ts';

const ACTOR = {
  type: 'system',
  id: 'powers.expire',
  display: 'Expiry of powers',
  impersonatorId: null,
} as const;

/** Notices powers whose last day has passed by the calendar of São Paulo. */
export const powersDue: Due = {
  name: ACTOR.id,
  everySeconds: 5 * MINUTE_SECONDS,
  atOnce: EXPIRED_AT_ONCE,
  run: async (tx, { environment, businessTime: at, now }) => {
    const today = calendarDate(at);
    const over = await listOverPowers(tx, { environment, today });
    // All businesses are locked first, in one order, because a case that opens for one of them locks the counter of the
    // case numbers until the end of the transaction.
    const locked: Business[] = [];
    for (const businessId of new Set(over.map((one) => one.businessId))) {
      const business = unlessErased(await lockBusiness(tx, businessId));
      if (business !== null) locked.push(business);
    }
    const ids = over.map(({ id }) => id);
    markExpired(tx, ids, at);
    const effects: Effect[] = [];
    for (const business of locked) effects.push(...(await publishEnds(tx, business, ids, { at, now })));
    return effects;
  },
};

/**
 * Audits and publishes the end of those of the powers of a business that counted until then. The caller has locked the
 * business and marked the powers.
 */
export async function publishEnds(
  tx: Transaction,
  business: Business,
  ids: readonly string[],
  { at, now }: When,
): Promise<Effect[]> {
  const { environment } = business;
  const effects: Effect[] = [];
  for (const { row } of await activeToTheEnd(tx, business, ids)) {
    const resource = { type: 'power', id: row.id } as const;
    appendAudit(tx, {
      occurredAt: now.toISOString(),
      environment,
      action: 'power.expired',
      outcome: 'success',
      actor: ACTOR,
      resource,
      changes: [{ op: 'add', path: '/businessId', value: business.id }],
    });
    await publish(tx, {
      type: 'power.expired',
      subject: { kind: 'business', id: business.id },
      environment,
      powerId: row.id,
      at,
      now,
    });
    effects.push({ resource, change: `valid until ${row.validUntil}` });
  }
  return effects;
}

/** Returns those of the powers of a business that counted on their last day. */
async function activeToTheEnd(tx: Transaction, business: Business, ids: readonly string[]): Promise<OpenedPower[]> {
  const { powers } = await readOnFile(tx, business);
  const instruments = instrumentsOf(powers);
  return powers.filter(
    (one) => ids.includes(one.row.id) && statusOn(one, one.row.validUntil!, instruments) === 'active',
  );
}
