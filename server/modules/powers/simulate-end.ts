/**
 * Simulates in the sandbox that a confirmed power has ended yesterday. Exported by the index and called by the module
 * sandbox. Refuses powers that are not in force, because nothing would end; the database refuses it for live powers.
 */
import { addMilliseconds, DAY_MILLISECONDS } from '../../base/time.ts';
import type { Transaction } from '../../database/index.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import type { Effect } from '../../tasks/due.ts';
import type { Business } from '../businesses/index.ts';
import type { When } from '../subject-events/index.ts';
import { sealedRow, sealingKey } from '../subject-keys/index.ts';
import { publishEnds } from './expire.ts';
import { markExpired } from './expiry-store.ts';
import { instrumentsOf, readOnFile, statusOn } from './on-file.ts';
import { endPower, power } from './power-store.ts';

/**
 * Ends a power and notices it as the periodic work would. Returns null if the power is not in force since yesterday.
 * The caller has locked the business.
 */
export async function simulateEnd(
  tx: Transaction,
  business: Business,
  id: string,
  when: When,
): Promise<Effect[] | null> {
  const { powers } = await readOnFile(tx, business);
  const found = powers.find(({ row }) => row.id === id);
  const [today, yesterday] = [calendarDate(when.at), calendarDate(addMilliseconds(when.at, -DAY_MILLISECONDS))];
  const instruments = instrumentsOf(powers);
  if (found === undefined || [today, yesterday].some((day) => statusOn(found, day, instruments) !== 'active'))
    return null;
  if (found.row.validFrom > yesterday) return null;
  const owner = { type: 'business', id: business.id } as const;
  const key = await sealingKey(tx, owner, { environment: business.environment, now: when.at });
  const instrument = JSON.stringify({ ...found.instrument, validUntil: yesterday });
  endPower(tx, sealedRow(power, { id, instrument }, key), yesterday, when.at);
  markExpired(tx, [id], when.at);
  return publishEnds(tx, business, [id], when);
}
