import { includesDay, type Moment, type PowerInstrument } from './powers.ts';

/** Whether an instrument counts at a time, and if not, why. */
export type Force = 'confirmed' | 'unconfirmed' | 'suspended' | 'expired' | 'revoked' | 'superseded' | 'not_yet';

/** Types of which only the latest counts. */
const CONSTITUTIVE = ['articles', 'bylaws'];

/** Tells whether an instrument is the articles or the bylaws of the company. */
export function isConstitutive({ type }: Pick<PowerInstrument, 'type'>): boolean {
  return CONSTITUTIVE.includes(type);
}

/** Tells whether a second person has confirmed an instrument, whatever has happened to it since. */
export function isConfirmed({ status }: Pick<PowerInstrument, 'status'>): boolean {
  return status !== 'draft' && status !== 'suspended';
}

/**
 * Returns the force of an instrument at a time. Its dates and its revocation decide, not its status today, so that
 * yesterday's act is judged by yesterday's powers. Drafts supersede nothing.
 */
export function forceOf(instrument: PowerInstrument, moment: Moment, all: readonly PowerInstrument[]): Force {
  const own = ownForce(instrument, moment);
  if (own !== 'confirmed') return own;
  const isSuperseded = all.some(
    (other) =>
      other.id !== instrument.id &&
      ownForce(other, moment) === 'confirmed' &&
      (other.supersedes === instrument.id ||
        (isConstitutive(other) && isConstitutive(instrument) && isLater(other, instrument))),
  );
  return isSuperseded ? 'superseded' : 'confirmed';
}

function ownForce({ status, validFrom, validUntil, revoked }: PowerInstrument, { on, at }: Moment): Force {
  if (on < validFrom) return 'not_yet';
  if (!includesDay(validFrom, validUntil, on)) return 'expired';
  if (revoked !== null && (at === null ? on >= revoked.on : Date.parse(at) >= Date.parse(revoked.at))) return 'revoked';
  if (status === 'draft') return 'unconfirmed';
  return status === 'suspended' ? 'suspended' : 'confirmed';
}

function isLater(a: PowerInstrument, b: PowerInstrument): boolean {
  const order = (x: string, y: string): number => Number(x > y) - Number(x < y);
  return (
    (order(a.registeredOn ?? '', b.registeredOn ?? '') || order(a.validFrom, b.validFrom) || order(a.id, b.id)) > 0
  );
}
