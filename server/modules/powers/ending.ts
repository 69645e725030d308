/**
 * Says which powers of a company end soon or have ended without another in their place. Exported by the index for
 * monitoring. A power that is missing here ends without a warning.
 */
import type { Transaction } from '../../database/index.ts';
import { forceOf } from '../../powers/in-force.ts';
import type { Business } from '../businesses/index.ts';
import { instrumentsOf, readOnFile } from './on-file.ts';

interface EndingPower {
  readonly id: string;
  /** The last day of the power. */
  readonly validUntil: string;
  /** When the service noticed that the power has ended, or null. */
  readonly noticedAt: string | null;
}

/**
 * Lists the confirmed powers of a business that end by the day `until` and count today, or would count if they had not
 * ended. A power that was revoked or that another has superseded is not among them.
 */
export async function endingPowers(
  tx: Transaction,
  business: Business,
  { today, until }: { readonly today: string; readonly until: string },
): Promise<EndingPower[]> {
  const { powers } = await readOnFile(tx, business);
  const instruments = instrumentsOf(powers);
  return instruments.flatMap((one) => {
    const { id, validUntil } = one;
    if (validUntil === null || validUntil > until) return [];
    const force = forceOf({ ...one, validUntil: null }, { on: today, at: null }, instruments);
    const noticedAt = powers.find(({ row }) => row.id === id)?.row.expiredAt ?? null;
    return force === 'confirmed' ? [{ id, validUntil, noticedAt }] : [];
  });
}
