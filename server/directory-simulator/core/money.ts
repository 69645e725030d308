/** Amounts are counted in cents; the directory writes them as decimals with two places. */
export type Cents = number;

export function cents(amount: string): Cents {
  if (!/^\d{1,12}\.\d{2}$/.test(amount)) throw new RangeError('An amount has up to twelve digits and two decimal places');
  return Number(amount.replace('.', ''));
}

export function decimal(amount: Cents): string {
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A part of an amount, rounded up: the parts of a loss cover all of it. */
export function part(amount: Cents, perMille: number): Cents {
  return Number((BigInt(amount) * BigInt(perMille) + 999n) / 1000n);
}
