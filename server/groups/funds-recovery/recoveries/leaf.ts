/** Leaves of the directory's documents. It may send anything as a text: what it is not is null, and what is too long is cut. */

export function text(leaf: unknown, maxLength: number): string | null {
  return typeof leaf === 'string' && leaf !== '' ? leaf.slice(0, maxLength) : null;
}

export function instant(leaf: unknown): string | null {
  const time = typeof leaf === 'string' ? Date.parse(leaf) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** A decimal of the directory in minor units. Its digits are moved, never computed with. */
export function minorUnits(leaf: unknown): number | null {
  const [, whole, fraction = ''] = (typeof leaf === 'string' && /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(leaf)) || [];
  return whole === undefined ? null : Number(whole + fraction.padEnd(2, '0'));
}

/** The directory knows no other currency. */
export const currency = 'BRL';

export function money(leaf: unknown): { readonly amount: number; readonly currency: string } | null {
  const amount = minorUnits(leaf);
  return amount === null ? null : { amount, currency };
}
